import ReelsModel
import ReelsPrep
import Testing

@Suite(
  "Verification: the video stream",
  .enabled(if: VerificationClip.isPossible, "the ffmpeg command is not installed"))
struct VerificationVideoTests {
  private typealias Patcher = VerificationPatcher
  private static let entry = "moov/trak[0]/mdia/minf/stbl/stsd/avc1"
  /// `avcC`: version, profile, flags, level, two counts and a length, then the SPS.
  private static let levels = (configuration: 11, set: 19)

  /// The compliant clip with another `level_idc`, in `avcC` alone or in the SPS too.
  private func withLevel(_ idc: UInt8, inSet: Bool = true) throws -> [UInt8] {
    var file = try Patcher.compliant()
    try file.overwrite("\(Self.entry)/avcC", at: Self.levels.configuration, with: [idc])
    if inSet { try file.overwrite("\(Self.entry)/avcC", at: Self.levels.set, with: [idc]) }
    return file.bytes
  }

  @Test func `MPEG-4 part 2 breaks video-codec`() throws {
    let clip = VerificationClip(codec: ["-c:v", "mpeg4", "-q:v", "20", "-g", "48"])
    #expect(try brokenRules(try clip.bytes()) == [.videoCodec])
  }

  @Test func `a codec that is allowed but not read breaks video-profile`() throws {
    var file = try Patcher.compliant()
    try file.overwrite(Self.entry, at: 4, with: Array("hvc1".utf8))
    #expect(try brokenRules(file.bytes) == [.videoCodec])
    let preset = Preset.verificationTest.with { $0.videoCodecs.value = ["h264", "hevc"] }
    #expect(try brokenRules(file.bytes, preset: preset) == [.videoProfile])
  }

  @Test func `a profile that is not allowed breaks video-profile`() throws {
    let preset = Preset.verificationTest.with { $0.videoProfiles.value = ["baseline", "main"] }
    let report = try verify(try VerificationClip.compliant.get(), preset: preset)
    #expect(report.failures.map(\.rule) == [.videoProfile])
    #expect(report.finding(.videoProfile)?.found == "High")
  }

  @Test func `avcC and SPS of different profiles break video-profile`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("\(Self.entry)/avcC", at: 9, with: [77])
    #expect(try brokenRules(file.bytes) == [.videoProfile])
  }

  @Test func `a parameter set that is cut short breaks video-profile`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("\(Self.entry)/avcC", at: 14, with: [0, 5])
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.videoProfile])
    #expect(report.summary == nil)
  }

  @Test func `baseline and main streams keep every rule`() throws {
    for profile in ["baseline", "main"] {
      var clip = VerificationClip()
      clip.codec[3] = profile
      #expect(try brokenRules(try clip.bytes()) == [])
    }
  }

  /// 320x568 is 20 by 36 macroblocks: 21,600 a second, above the 20,250 of level 2.2.
  @Test func `a level below what size and rate need breaks video-level`() throws {
    #expect(try brokenRules(try withLevel(30)) == [])
    #expect(try brokenRules(try withLevel(22)) == [.videoLevel])
    let found = try verify(try withLevel(22)).finding(.videoLevel)
    #expect(found?.found == "2.2 with 21600 macroblocks a second, at most 20250")
    #expect(found?.allowed == "3.0 to 5.2")
  }

  @Test func `a level above 5.2, or none of the table, breaks video-level`() throws {
    #expect(try brokenRules(try withLevel(52)) == [])
    #expect(try brokenRules(try withLevel(60)) == [.videoLevel])
    #expect(try brokenRules(try withLevel(77)) == [.videoLevel])
  }

  @Test func `avcC and SPS of different levels break video-level`() throws {
    #expect(try brokenRules(try withLevel(31, inSet: false)) == [.videoLevel])
  }

  @Test func `more reference frames than the level holds break video-level`() throws {
    // Level 3.0 holds 8,100 macroblocks: eleven frames of 720.
    let clip = VerificationClip(encoding: "keyint=48:min-keyint=48:scenecut=0:ref=12:level=3.0")
    let report = try verify(try clip.bytes())
    #expect(report.failures.map(\.rule) == [.videoLevel])
    #expect(report.finding(.videoLevel)?.found.contains("12 frames to hold, at most 11") == true)
  }

  @Test(arguments: [
    ("yuv422p", "high422", "High 4:2:2"), ("yuv420p10le", "high10", "High 10"),
    ("yuv444p", "high444", "High 4:4:4 Predictive"),
  ])
  func `other chroma or depth breaks chroma-420-8bit, and video-profile with it`(
    format: String, profile: String, name: String
  ) throws {
    var clip = VerificationClip()
    (clip.codec[3], clip.codec[5]) = (profile, format)
    let bytes = try clip.bytes()
    #expect(try brokenRules(bytes) == [.videoProfile, .pixelFormat])
    let preset = Preset.verificationTest.with { $0.videoProfiles.value = [name] }
    #expect(try brokenRules(bytes, preset: preset) == [.pixelFormat])
  }

  @Test func `a stream coded for fields breaks progressive`() throws {
    var clip = VerificationClip()
    clip.encoding += ":tff=1"
    #expect(try brokenRules(try clip.bytes()) == [.progressive])
  }

  @Test func `missing tags break color-tags`() throws {
    #expect(try brokenRules(try VerificationClip(color: []).bytes()) == [.colorTags])
  }

  @Test func `full range breaks color-tags`() throws {
    var clip = VerificationClip()
    clip.color[7] = "pc"
    #expect(try brokenRules(try clip.bytes()) == [.colorTags])
  }

  @Test func `a container that says otherwise than the stream breaks color-tags`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("\(Self.entry)/colr", at: 12, with: [0, 9])
    #expect(try brokenRules(file.bytes) == [.colorTags])
    file = try Patcher.compliant()
    try file.replace("\(Self.entry)/colr", with: [])
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.colorTags])
    #expect(report.finding(.colorTags)?.found == "no colr box")
  }

  @Test func `open GOPs break closed-gop`() throws {
    let clip = VerificationClip(
      encoding: "keyint=24:min-keyint=24:scenecut=0:open-gop=1:bframes=2:b-adapt=0")
    let report = try verify(try clip.bytes())
    #expect(report.failures.map(\.rule) == [.closedGOP])
    #expect(report.finding(.closedGOP)?.found.hasPrefix("a sync sample that is no IDR") == true)
  }

  @Test func `a sync sample that is no IDR breaks closed-gop and is named`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("moov/trak[0]/mdia/minf/stbl/stss", at: 20, with: 50)
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.closedGOP])
    #expect(report.finding(.closedGOP)?.location == "frame 49, NAL unit 0")
  }

  @Test func `a first frame that is no sync sample breaks closed-gop`() throws {
    var file = try Patcher.compliant()
    try file.replace(
      "moov/trak[0]/mdia/minf/stbl/stss",
      with: Patcher.box("stss", [0, 1, 49].flatMap(Patcher.big)))
    #expect(try brokenRules(file.bytes) == [.closedGOP])
  }

  @Test func `a frame shown before the IDR that it follows breaks closed-gop`() throws {
    var file = try Patcher.compliant()
    let path = "moov/trak[0]/mdia/minf/stbl/ctts"
    var offsets: [Int] = []
    for entry in 0..<(try file.number(path, at: 12)) {
      let shift = Int(Int32(truncatingIfNeeded: try file.number(path, at: 20 + entry * 8)))
      offsets += Array(repeating: shift, count: try file.number(path, at: 16 + entry * 8))
    }
    // Frame 48 is an IDR; it changes places with the frame that is shown after it.
    let time = { (frame: Int) in frame * 512 + offsets[frame] }
    let next = try #require(offsets.indices.first { time($0) == time(48) + 512 })
    offsets[48] += 512
    offsets[next] -= 512
    let entries = offsets.flatMap { Patcher.big(1) + Patcher.big($0) }
    try file.replace(
      path,
      with: Patcher.box("ctts", Patcher.big(1 << 24) + Patcher.big(offsets.count) + entries))
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.closedGOP])
    #expect(report.finding(.closedGOP)?.location == "frame 48")
  }

  @Test func `a GOP longer than the maximum breaks closed-gop`() throws {
    let bytes = try VerificationClip.compliant.get()
    let limit = { (seconds: Double) in
      Preset.verificationTest.with { $0.gopSecondsMaximum.value = seconds }
    }
    #expect(try brokenRules(bytes, preset: limit(1.6)) == [])
    #expect(try brokenRules(bytes, preset: limit(1.599)) == [.closedGOP])
  }

  @Test func `the peak is that of the fullest second, sound counted`() throws {
    let bytes = try VerificationClip.compliant.get()
    let file = Patcher(bytes)
    let sizes = { (track: Int) throws -> [Int] in
      let path = "moov/trak[\(track)]/mdia/minf/stbl/stsz"
      return try (0..<(try file.number(path, at: 16))).map {
        try file.number(path, at: 20 + $0 * 4)
      }
    }
    // Times in units of 1/48000 s: both clocks fit.
    let samples =
      try sizes(0).enumerated().map { ($0 * 1600, $1) }
      + (try sizes(1).enumerated().map { ($0 * 1024, $1) })
    let peak =
      samples.map { start, _ in
        samples.filter { (start..<start + 48000).contains($0.0) }.reduce(0) { $0 + $1.1 }
      }.max() ?? 0
    let limit = { (bits: Int) in
      Preset.verificationTest.with { $0.peakBitsPerSecond.value = Int64(bits) }
    }
    #expect(try brokenRules(bytes, preset: limit(peak * 8)) == [])
    #expect(try brokenRules(bytes, preset: limit(peak * 8 - 1)) == [.peakBitRate])
  }

  @Test func `parameter sets inside samples are judged as well`() throws {
    // x264 repeats SPS and PPS before every IDR; then the one in avcC is changed.
    var clip = VerificationClip()
    clip.encoding += ":repeat-headers=1"
    let bytes = try clip.bytes()
    #expect(try brokenRules(bytes) == [])
    var file = Patcher(bytes)
    try file.overwrite("\(Self.entry)/avcC", at: Self.levels.configuration, with: [31])
    try file.overwrite("\(Self.entry)/avcC", at: Self.levels.set, with: [31])
    let report = try verify(file.bytes)
    // The sets in the samples still say 3.0.
    #expect(report.failures.map(\.rule) == [.videoLevel])
    // After an access unit delimiter or x264's own message.
    #expect(report.finding(.videoLevel)?.location == "frame 0, NAL unit 1")
  }
}
