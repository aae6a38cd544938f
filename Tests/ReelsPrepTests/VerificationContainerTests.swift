import Foundation
import ReelsModel
import ReelsPrep
import Testing

@Suite(
  "Verification: the container",
  .enabled(if: VerificationClip.isPossible, "the ffmpeg command is not installed"))
struct VerificationContainerTests {
  private typealias Patcher = VerificationPatcher

  @Test func `a compliant file passes every rule, each of them once`() throws {
    let report = try verify(
      try VerificationClip.compliant.get(),
      expected: Expectation(frames: 96, fileBytesBelow: ByteCount(1_000_000)),
      decoded: DecodedFacts(
        framesDecoded: 96, decodeErrors: 0, color: .bt709,
        size: PixelSize(width: 320, height: 568), audioSamplesDecoded: 153_600))
    #expect(report.findings.filter { $0.verdict != .pass } == [])
    let rules: [Rule] = [
      .container, .moovFirst, .noEditList, .noFragments, .tracks, .metadata, .fileSize, .duration,
      .startsAtZero, .endsTogether, .frameCount, .frameRate, .constantFrameRate, .videoCodec,
      .videoProfile, .videoLevel, .pixelFormat, .progressive, .colorTags, .closedGOP, .peakBitRate,
      .frameSize, .columns, .aspect, .evenSides, .squarePixels, .upright, .audioCodec,
      .audioSampleRate, .audioChannels, .audioTiming, .audioBitRate, .audioPriming, .decodable,
    ]
    #expect(report.findings.map(\.rule) == rules)
  }

  @Test func `the summary tells what the file is`() throws {
    let bytes = try VerificationClip.compliant.get()
    let summary = try #require(try verify(bytes).summary)
    #expect(summary.size == PixelSize(width: 320, height: 568))
    #expect(summary.frameRate == Ratio(30))
    #expect(summary.frames == 96)
    #expect(summary.duration == MediaTime(seconds: Ratio(16, 5)))
    #expect(summary.videoCodec == "h264")
    #expect(summary.profile == "High")
    #expect(summary.level == "3.0")
    #expect(summary.audioCodec == "aac")
    #expect(summary.sampleRate == 48000)
    #expect(summary.channels == 2)
    #expect(summary.bytes == ByteCount(Int64(bytes.count)))
    #expect(
      summary.bitRate == BitsPerSecond((Ratio(Int64(bytes.count) * 8) / Ratio(16, 5)).rounded))
  }

  @Test func `a QuickTime brand breaks container`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("ftyp", at: 8, with: Array("qt  ".utf8))
    #expect(try brokenRules(file.bytes) == [.container])
    #expect(try verify(file.bytes).finding(.container)?.location == "ftyp at byte 0")
  }

  @Test func `a chunk outside mdat breaks container`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("moov/trak[1]/mdia/minf/stbl/stco", at: 16, with: 40)
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.container])
    #expect(report.finding(.container)?.location?.hasPrefix("sample 0 of moov/trak[1]") == true)
  }

  @Test func `a sample that is not made of NAL units breaks container`() throws {
    var file = try Patcher.compliant()
    let data = try file.range("mdat")
    let first = try file.number("moov/trak[0]/mdia/minf/stbl/stco", at: 16) - data.lowerBound
    try file.overwrite("mdat", at: first, with: 0x7FFF_FFFF)
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.container])
    #expect(report.finding(.container)?.location == "frame 0")
  }

  @Test func `mdat before moov breaks moov-first`() throws {
    let file = try VerificationClip(movieFlags: "+negative_cts_offsets").bytes()
    #expect(try brokenRules(file) == [.moovFirst])
    #expect(
      try brokenRules(file, preset: .verificationTest.with { $0.moovFirst.value = false }) == [])
  }

  @Test func `an advised limit that is not met is said and never fails`() throws {
    let file = try VerificationClip(movieFlags: "+negative_cts_offsets").bytes()
    let report = try verify(
      file, preset: .verificationTest.with { $0.moovFirst.severity = .advised })
    #expect(report.finding(.moovFirst)?.verdict == .advised)
    #expect(report.failures == [])
  }

  @Test func `an edit list breaks no-edit-list and is named with its place`() throws {
    var file = try Patcher.compliant()
    let entry = Patcher.big(0) + Patcher.big(1) + Patcher.big(3200) + Patcher.big(0)
    let elst = Patcher.box("elst", entry + Patcher.big(0x10000))
    try file.append(Patcher.box("edts", elst), to: "moov/trak[0]")
    #expect(try brokenRules(file.bytes) == [.noEditList])
    let place = try file.range("moov/trak[0]/edts/elst").lowerBound
    #expect(
      try verify(file.bytes).finding(.noEditList)?.location
        == "moov/trak[0]/edts/elst at byte \(place)")
  }

  @Test func `a fragmented file breaks no-fragments`() throws {
    let file = try VerificationClip(
      movieFlags: "+frag_keyframe+empty_moov+delay_moov+default_base_moof+negative_cts_offsets"
    ).bytes()
    #expect(try brokenRules(file) == [.noFragments])
    #expect(try verify(file).summary == nil)
  }

  @Test func `an announcement of fragments alone breaks no-fragments`() throws {
    var file = try Patcher.compliant()
    try file.append(Patcher.box("mvex", []), to: "moov")
    #expect(try brokenRules(file.bytes) == [.noFragments])
  }

  @Test(arguments: [0, 2])
  func `a file with no audio track or two of them breaks tracks`(count: Int) throws {
    #expect(try brokenRules(try VerificationClip(audioTracks: count).bytes()) == [.tracks])
  }

  @Test func `a time code track breaks tracks`() throws {
    let file = try VerificationClip(muxing: ["-timecode", "00:00:00:00"]).bytes()
    let report = try verify(file)
    #expect(report.failures.map(\.rule) == [.tracks])
    #expect(report.finding(.tracks)?.found == "video, audio, tmcd")
  }

  @Test func `a disabled track breaks tracks`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("moov/trak[1]/tkhd", at: 11, with: [2])
    #expect(try brokenRules(file.bytes) == [.tracks])
  }

  @Test func `a place, a device or a packet of XMP breaks metadata`() throws {
    let place = Patcher.box("©xyz", [0, 6, 0x15, 0xC7] + Array("+48-02".utf8))
    var file = try Patcher.compliant()
    try file.append(place, to: "moov/udta")
    #expect(try brokenRules(file.bytes) == [.metadata])
    #expect(try verify(file.bytes).finding(.metadata)?.found == "©xyz, the place")

    file = try Patcher.compliant()
    try file.append(Patcher.box("udta", Patcher.box("©mod", [0, 0])), to: "moov/trak[0]")
    #expect(try brokenRules(file.bytes) == [.metadata])

    file = try Patcher.compliant()
    file.append(Patcher.box("uuid", [UInt8](repeating: 7, count: 40)))
    #expect(try brokenRules(file.bytes) == [.metadata])
  }

  @Test func `a key of QuickTime's breaks metadata and is named`() throws {
    let file = try VerificationClip(
      movieFlags: "+faststart+negative_cts_offsets+use_metadata_tags",
      muxing: ["-metadata", "com.apple.quicktime.make=Maker"]
    ).bytes()
    let report = try verify(file)
    #expect(report.failures.map(\.rule) == [.metadata])
    #expect(report.finding(.metadata)?.found == "com.apple.quicktime.make, the maker of the camera")
  }

  @Test func `the encoder's own tag is no metadata`() throws {
    var file = try Patcher.compliant()
    try file.append(Patcher.box("©too", [0, 0, 0, 0]), to: "moov/udta/meta/ilst")
    #expect(try brokenRules(file.bytes) == [])
  }

  @Test func `a file of exactly its cap breaks file-size`() throws {
    let bytes = try VerificationClip.compliant.get()
    let cap = ByteCount(Int64(bytes.count))
    let above = ByteCount(cap.value + 1)
    #expect(
      try verify(bytes, expected: Expectation(fileBytesBelow: cap)).failures.map(\.rule) == [
        .fileSize
      ])
    #expect(try brokenRules(bytes, expected: Expectation(fileBytesBelow: above)) == [])
    // The preset's own cap is advice here.
    let preset = Preset.verificationTest.with { $0.fileBytesBelow.value = cap.value }
    #expect(try verify(bytes, preset: preset).finding(.fileSize)?.verdict == .advised)
  }
}
