import ReelsModel
import ReelsPrep
import Testing

@Suite(
  "Verification: time",
  .enabled(if: VerificationClip.isPossible, "the ffmpeg command is not installed"))
struct VerificationTimingTests {
  private typealias Patcher = VerificationPatcher

  @Test func `a clip that is too short breaks duration`() throws {
    #expect(try brokenRules(try VerificationClip(seconds: 1.6).bytes()) == [.duration])
  }

  @Test func `a clip that ends after the maximum breaks duration`() throws {
    let bytes = try VerificationClip.compliant.get()
    let limit = { (maximum: Double) in
      Preset.verificationTest.with { $0.durationSeconds.value.maximum = maximum }
    }
    #expect(try brokenRules(bytes, preset: limit(3.2)) == [])
    #expect(try brokenRules(bytes, preset: limit(3.199)) == [.duration])
  }

  @Test(arguments: [("moov/mvhd", 24, 1000), ("moov/trak[0]/tkhd", 28, 1000)])
  func `a header that claims more than the maximum breaks duration`(
    path: String, offset: Int, scale: Int
  ) throws {
    var file = try Patcher.compliant()
    try file.overwrite(path, at: offset, with: 60 * scale + 1)
    #expect(try brokenRules(file.bytes) == [.duration])
  }

  @Test func `a media header that claims more than the maximum breaks duration`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("moov/trak[1]/mdia/mdhd", at: 24, with: 48000 * 60 + 1)
    #expect(try brokenRules(file.bytes) == [.duration])
  }

  @Test func `a first frame that is late by one tick breaks starts-at-zero`() throws {
    var file = try Patcher.compliant()
    let path = "moov/trak[0]/mdia/minf/stbl/ctts"
    for entry in 0..<(try file.number(path, at: 12)) {
      let place = 20 + entry * 8
      let shift = Int(Int32(truncatingIfNeeded: try file.number(path, at: place)))
      try file.overwrite(path, at: place, with: shift + 1)
    }
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.startsAtZero])
    #expect(report.finding(.startsAtZero)?.found == "0.000065 s")
  }

  @Test func `sound that ends more than a millisecond early breaks ends-together`() throws {
    let file = { (lastDelta: Int) throws -> [UInt8] in
      var file = try Patcher.compliant()
      let runs = [2, 149, 1024, 1, lastDelta].flatMap(Patcher.big)
      try file.replace(
        "moov/trak[1]/mdia/minf/stbl/stts", with: Patcher.box("stts", Patcher.big(0) + runs))
      return file.bytes
    }
    #expect(try brokenRules(try file(1024 - 48)) == [])
    let report = try verify(try file(1024 - 49))
    #expect(report.findings.filter { $0.verdict != .pass }.map(\.rule) == [.endsTogether])
    // At the samples of the one that ends early.
    #expect(report.finding(.endsTogether)?.location?.hasPrefix("moov/trak[1]/") == true)
  }

  @Test func `another number of frames than expected breaks frame-count`() throws {
    let bytes = try VerificationClip.compliant.get()
    #expect(try brokenRules(bytes, expected: Expectation(frames: 97)) == [.frameCount])
  }

  @Test func `twenty frames a second break frame-rate`() throws {
    let report = try verify(
      try VerificationClip(rate: 20, encoding: "keyint=40:scenecut=0:bframes=2").bytes())
    #expect(report.failures.map(\.rule) == [.frameRate])
    #expect(report.finding(.frameRate)?.found == "20 frames/s")
  }

  @Test func `one frame that is shown a tick late breaks constant-frame-rate`() throws {
    var file = try Patcher.compliant()
    let path = "moov/trak[0]/mdia/minf/stbl/ctts"
    let place = 20 + 20 * 8
    // A run of several frames moves together: its first interval is longer by a tick.
    try file.overwrite(path, at: place, with: try file.number(path, at: place) + 1)
    #expect(try brokenRules(file.bytes) == [.constantFrameRate])
    let tolerant = Expectation(intervalTolerance: MediaTime(seconds: Ratio(1, 1000)))
    #expect(try brokenRules(file.bytes, expected: tolerant) == [])
  }

  @Test func `a last frame of another length breaks constant-frame-rate`() throws {
    var file = try Patcher.compliant()
    let runs = [2, 95, 512, 1, 511].flatMap(Patcher.big)
    try file.replace(
      "moov/trak[0]/mdia/minf/stbl/stts", with: Patcher.box("stts", Patcher.big(0) + runs))
    #expect(try brokenRules(file.bytes) == [.constantFrameRate])
  }

  @Test func `a video without B frames keeps every rule without ctts`() throws {
    let clip = VerificationClip(encoding: "keyint=48:min-keyint=48:scenecut=0:bframes=0")
    #expect(try brokenRules(try clip.bytes()) == [])
  }

  @Test func `offsets of version 0 put the video after zero, and that is seen`() throws {
    let clip = VerificationClip(movieFlags: "+faststart")
    let report = try verify(try clip.bytes())
    #expect(report.finding(.startsAtZero)?.verdict == .fail)
  }
}
