import ReelsModel
import ReelsPrep
import Testing

@Suite(
  "Verification: sound",
  .enabled(if: VerificationClip.isPossible, "the ffmpeg command is not installed"))
struct VerificationAudioTests {
  private typealias Patcher = VerificationPatcher
  private static let entry = "moov/trak[1]/mdia/minf/stbl/stsd/mp4a"

  /// Where in `esds` the object type indication and the AudioSpecificConfig stand.
  private func places(_ file: Patcher) throws -> (indication: Int, configuration: Int) {
    let box = Array(file.bytes[try file.range("\(Self.entry)/esds")])
    let decoder = try #require(
      box.indices.dropLast(5).first { box[$0] == 4 && box[$0 + 5] == 0x40 })
    // The configuration of AAC-LC, 48 kHz, two channels.
    let configuration = try #require(
      box.indices.dropLast().first { box[$0] == 0x11 && box[$0 + 1] == 0x90 })
    return (decoder + 5, configuration)
  }

  /// Explicitly, as object type 5 around 2, and by the extension after a configuration of AAC-LC.
  @Test(arguments: [
    ["00101", "0011", "0010", "0011", "00010", "000"],
    ["00010", "0011", "0010", "000", "01010110111", "00101", "1", "0011"],
  ])
  func `spectral band replication breaks audio-codec`(fields: [String]) throws {
    var file = try Patcher.compliant()
    try file.replace("\(Self.entry)/esds", with: Self.descriptor(fields))
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.audioCodec])
    #expect(report.finding(.audioCodec)?.found == "HE-AAC")
  }

  @Test func `an extension that says there is no replication is AAC-LC`() throws {
    var file = try Patcher.compliant()
    let fields = ["00010", "0011", "0010", "000", "01010110111", "00101", "0"]
    try file.replace("\(Self.entry)/esds", with: Self.descriptor(fields))
    #expect(try brokenRules(file.bytes) == [])
  }

  @Test func `a configuration that is cut short breaks audio-codec`() throws {
    var file = try Patcher.compliant()
    try file.replace("\(Self.entry)/esds", with: Self.descriptor(["00010"]))
    #expect(try brokenRules(file.bytes) == [.audioCodec])
  }

  /// An `esds` box around an AudioSpecificConfig given in bits.
  private static func descriptor(_ fields: [String]) -> [UInt8] {
    let bits = fields.joined()
    let specific = stride(from: 0, to: bits.count, by: 8).map { start in
      let byte = bits.dropFirst(start).prefix(8)
      return UInt8(byte + String(repeating: "0", count: 8 - byte.count), radix: 2) ?? 0
    }
    let decoder =
      [0x40, 0x15] + [UInt8](repeating: 0, count: 11) + [5, UInt8(specific.count)] + specific
    let stream = [0, 1, 0, 4, UInt8(decoder.count)] + decoder
    return Patcher.box("esds", [0, 0, 0, 0, 3, UInt8(stream.count)] + stream)
  }

  @Test func `MP3 in MP4 breaks audio-codec`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("\(Self.entry)/esds", at: try places(file).indication, with: [0x6B])
    #expect(try brokenRules(file.bytes) == [.audioCodec])
  }

  @Test func `an encoder's name in MP3 says nothing of priming`() throws {
    var file = Patcher(try VerificationClip(namesEncoder: true).bytes())
    try file.overwrite("\(Self.entry)/esds", at: try places(file).indication, with: [0x6B])
    #expect(try brokenRules(file.bytes) == [.audioCodec])
  }

  @Test func `another codec breaks audio-codec`() throws {
    var file = try Patcher.compliant()
    try file.overwrite(Self.entry, at: 4, with: Array("ac-3".utf8))
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.audioCodec])
    #expect(report.finding(.audioCodec)?.found == "ac-3")
  }

  @Test func `a sample rate above the maximum breaks audio-sample-rate`() throws {
    let preset = Preset.verificationTest.with { $0.audioSampleRateMaximum.value = 44100 }
    let bytes = try VerificationClip.compliant.get()
    #expect(try brokenRules(bytes, preset: preset) == [.audioSampleRate])
  }

  @Test func `a container that states another rate breaks audio-sample-rate`() throws {
    var file = try Patcher.compliant()
    try file.overwrite(Self.entry, at: 32, with: 44100 << 16)
    #expect(try brokenRules(file.bytes) == [.audioSampleRate])
  }

  @Test func `six channels break audio-channels`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("\(Self.entry)/esds", at: try places(file).configuration + 1, with: [0xB0])
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.audioChannels])
    #expect(report.finding(.audioChannels)?.found == "6")
  }

  @Test func `a bit rate above the advice is advised, not failed`() throws {
    let preset = Preset.verificationTest.with { $0.audioBitsPerSecond.value = 64_000 }
    let report = try verify(try VerificationClip.compliant.get(), preset: preset)
    #expect(report.findings.filter { $0.verdict != .pass }.map(\.rule) == [.audioBitRate])
    #expect(report.finding(.audioBitRate)?.verdict == .advised)
  }

  @Test func `a first packet with its encoder's name is priming, which is advised against`() throws
  {
    let report = try verify(try VerificationClip(namesEncoder: true).bytes())
    #expect(report.findings.filter { $0.verdict != .pass }.map(\.rule) == [.audioPriming])
    let finding = try #require(report.finding(.audioPriming))
    #expect(finding.verdict == .advised)
    #expect(finding.location?.hasPrefix("packet 0 of moov/trak[1]") == true)
  }

  /// As Apple's encoders write it: 2,112 samples.
  private static func gapless(name: String = "iTunSMPB") -> [UInt8] {
    let text = " 00000000 00000840 000001CA 00000000003F31F6"
    let tag =
      Patcher.box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8))
      + Patcher.box("name", [0, 0, 0, 0] + Array(name.utf8))
      + Patcher.box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8))
    let handler = Patcher.box("hdlr", [UInt8](repeating: 0, count: 8) + Array("mdir".utf8))
    let list = Patcher.box("ilst", Patcher.box("----", tag))
    return Patcher.box("udta", Patcher.box("meta", [0, 0, 0, 0] + handler + list))
  }

  @Test func `priming that iTunSMPB tells is advised against, and is no metadata of a person`()
    throws
  {
    var file = try Patcher.compliant()
    try file.append(Self.gapless(), to: "moov")
    let report = try verify(file.bytes)
    #expect(report.findings.filter { $0.verdict != .pass }.map(\.rule) == [.audioPriming])
    #expect(report.finding(.audioPriming)?.found == "2112 samples by iTunSMPB")

    var other = try Patcher.compliant()
    try other.append(Self.gapless(name: "tool"), to: "moov")
    #expect(try brokenRules(other.bytes) == [.metadata])
  }

  @Test func `priming that an edit list skips is the edit list's fault alone`() throws {
    var file = VerificationPatcher(try VerificationClip(namesEncoder: true).bytes())
    let edit =
      [UInt8](repeating: 0, count: 7) + [1] + Patcher.big(3200) + Patcher.big(1024) + [0, 1, 0, 0]
    try file.append(Patcher.box("edts", Patcher.box("elst", edit)), to: "moov/trak[1]")
    let report = try verify(file.bytes)
    #expect(report.findings.filter { $0.verdict != .pass }.map(\.rule) == [.noEditList])
    #expect(report.finding(.audioPriming)?.found == "1024 samples, skipped by an edit list")
  }

  @Test func `sound that decodes at twice its rate is HE-AAC`() throws {
    let facts = DecodedFacts(
      framesDecoded: 96, decodeErrors: 0, color: .bt709, size: PixelSize(width: 320, height: 568),
      audioSamplesDecoded: 307_200, soundRate: 96_000)
    #expect(try brokenRules(try VerificationClip.compliant.get(), decoded: facts) == [.audioCodec])
  }

  @Test func `what a decoder found is compared with the tables`() throws {
    let bytes = try VerificationClip.compliant.get()
    let good = DecodedFacts(
      framesDecoded: 96, decodeErrors: 0, color: .bt709, size: PixelSize(width: 320, height: 568),
      audioSamplesDecoded: 153_600)
    #expect(try brokenRules(bytes, decoded: good) == [])
    #expect(try verify(bytes).finding(.decodable) == nil)
    let changes: [(inout DecodedFacts) -> Void] = [
      { $0.framesDecoded = 95 }, { $0.decodeErrors = 1 }, { $0.color.range = .full },
      { $0.size.height = 576 }, { $0.audioSamplesDecoded = 100_000 },
    ]
    for change in changes {
      var facts = good
      change(&facts)
      #expect(try brokenRules(bytes, decoded: facts) == [.decodable])
    }
  }
}
