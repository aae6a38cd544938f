import Foundation
import ReelsModel
import ReelsPrep
import Testing

@Suite(
  "Verification: files that are broken or made to harm",
  .enabled(if: VerificationClip.isPossible, "the ffmpeg command is not installed"),
  .timeLimit(.minutes(5)))
struct VerificationHostileTests {
  private typealias Patcher = VerificationPatcher
  private static let table = "moov/trak[0]/mdia/minf/stbl"

  /// A generator with a seed: the same bytes are flipped in every run.
  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
      return value ^ value >> 31
    }
  }

  /// The check ends: with findings, or with its own error.
  private func survives(_ bytes: [UInt8]) throws -> Verification.Report? {
    do {
      return try verify(bytes)
    } catch let error as VerificationError {
      #expect(!error.sentence.isEmpty)
      return nil
    }
  }

  @Test func `a file that is cut short anywhere is never found compliant`() throws {
    let bytes = try VerificationClip.compliant.get()
    let head = try Patcher(bytes).range("mdat").lowerBound
    let points =
      Array(stride(from: 0, to: head + 64, by: 23)) + (1..<20).map { bytes.count - $0 * 97 }
    for point in points {
      let report = try survives(Array(bytes[..<point]))
      #expect(report?.failures.isEmpty != true, "cut at byte \(point)")
    }
  }

  @Test func `a file that ends inside its samples says how much is there`() throws {
    let bytes = try VerificationClip.compliant.get()
    let data = try Patcher(bytes).range("mdat")
    let finding = try #require(
      try verify(Array(bytes[..<(data.lowerBound + 5_000)])).finding(.container))
    #expect(finding.found.hasPrefix("5000 of \(data.count) bytes of mdat"))
    #expect(finding.location == "mdat at byte \(data.lowerBound)")
  }

  @Test func `flipped bytes never crash the check`() throws {
    let bytes = try VerificationClip.compliant.get()
    let head = try Patcher(bytes).range("mdat").lowerBound
    var random = SplitMix(state: 7)
    for round in 0..<600 {
      var broken = bytes
      for _ in 0..<(1 + round % 4) {
        let place = Int.random(in: 0..<(round % 5 == 0 ? bytes.count : head), using: &random)
        broken[place] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try survives(broken)
    }
  }

  @Test func `extreme numbers anywhere in the movie box never crash the check`() throws {
    let bytes = try VerificationClip.compliant.get()
    let movie = try Patcher(bytes).range("moov")
    for place in stride(from: movie.lowerBound, to: movie.upperBound - 4, by: 9) {
      for value in [0, 0x7FFF_FFFF, 0xFFFF_FFFF] {
        var broken = bytes
        broken.replaceSubrange(place..<place + 4, with: Patcher.big(value))
        _ = try survives(broken)
      }
    }
  }

  @Test func `billions of samples in a few bytes are counted, not stored`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("\(Self.table)/stsz", at: 12, with: 1)
    try file.overwrite("\(Self.table)/stsz", at: 16, with: 0xFFFF_FFFF)
    let report = try #require(try survives(file.bytes))
    #expect(report.finding(.container)?.found.hasPrefix("4294967295 samples") == true)
    #expect(report.failures.map(\.rule).contains(.duration))
  }

  @Test func `offsets near the end of the number line are an error, not a trap`() throws {
    var file = try Patcher.compliant()
    let count = try file.number("\(Self.table)/stco", at: 12)
    let far = (0..<count).flatMap { _ in
      [UInt8](repeating: 0x7F, count: 1) + [UInt8](repeating: 0xFF, count: 7)
    }
    try file.replace(
      "\(Self.table)/stco",
      with: Patcher.box("co64", Patcher.big(0) + Patcher.big(count) + far))
    #expect(throws: VerificationError.self) { try verify(file.bytes) }
  }

  @Test func `wide offsets are read as well as narrow ones`() throws {
    var file = try Patcher.compliant()
    let old = try file.range("\(Self.table)/stco")
    let count = file.number(at: old.lowerBound + 12)
    // The box grows by four bytes an entry, and every chunk moves by that.
    let delta = count * 4
    let entries = (0..<count).flatMap { index in
      Patcher.big(0) + Patcher.big(file.number(at: old.lowerBound + 16 + index * 4) + delta)
    }
    try file.replace(
      "\(Self.table)/stco",
      with: Patcher.box("co64", Patcher.big(0) + Patcher.big(count) + entries))
    #expect(try brokenRules(file.bytes) == [])
  }

  @Test func `a thousand tracks are refused`() throws {
    var file = try Patcher.compliant()
    let track = Array(file.bytes[try file.range("moov/trak[1]")])
    var many: [UInt8] = []
    for _ in 0..<1000 { many += track }
    try file.append(many, to: "moov")
    #expect(throws: VerificationError.self) { try verify(file.bytes) }
  }

  @Test func `what is no MP4 is an error of one sentence`() throws {
    for bytes in [
      [], Array("hello, world, this is no film".utf8), [UInt8](repeating: 0, count: 99),
    ] {
      let error = #expect(throws: VerificationError.self) { try verify(bytes) }
      #expect(error?.sentence.contains("\n") == false)
    }
  }

  @Test func `a path without a file and a directory are errors that name them`() throws {
    let check = Verification(preset: .verificationTest)
    let absent = #expect(throws: VerificationError.self) {
      try check.findings(for: "/nowhere/clip.mp4")
    }
    #expect(absent?.sentence == "clip.mp4: cannot be opened: No such file or directory")
    let directory = FilePath(FileManager.default.temporaryDirectory.path())
    let error = #expect(throws: VerificationError.self) { try check.findings(for: directory) }
    #expect(error?.sentence.hasSuffix("is not a regular file") == true)
  }
}
