import Foundation
import ReelsModel
import TestSupport
import Testing

@Suite(.enabled(if: Tool.ffmpeg.isAvailable && Tool.mediainfo.isAvailable))
struct IndependentCheckTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// The names of the rules that the check finds broken.
  private func broken(
    _ check: IndependentCheck = IndependentCheck(), _ change: (inout PlainReel) -> Void = { _ in }
  ) throws -> Set<String> {
    var reel = PlainReel()
    change(&reel)
    let file = folder.file("reel.mp4")
    try reel.write(to: file)
    return Set(try check.problems(in: file).map { String($0.prefix { $0 != ":" }) })
  }

  private func expect(_ found: Set<String>, _ rules: Rule...) {
    #expect(found == Set(rules.map(\.rawValue)))
  }

  @Test func `a plain Reel has no problem`() throws {
    let file = folder.file("reel.mp4")
    try PlainReel().write(to: file)
    #expect(try IndependentCheck.problems(in: file) == [])
  }

  @Test func `what ffmpeg writes by default has edit lists, and moov last`() throws {
    // The priming packet is before 0 and outlasts the end.
    expect(
      try broken {
        $0.container = ["-f", "mp4"]
        $0.audioPackets = []
      }, .noEditList, .moovFirst, .startsAtZero, .endsTogether)
  }

  @Test func `fragments`() throws {
    #expect(
      try broken { $0.container += ["-movflags", "+frag_keyframe+empty_moov"] }
        .isSuperset(of: [Rule.noFragments.rawValue]))
  }

  @Test func `QuickTime's brand`() throws {
    #expect(try broken { $0.container += ["-f", "mov"] }.contains(Rule.container.rawValue))
  }

  @Test func `no file, no media and a file cut short are problems, not errors`() throws {
    let file = folder.file("x.mp4")
    let check = IndependentCheck()
    #expect(try check.problems(in: file).first?.hasPrefix("container:") == true)
    try Data("not a video".utf8).write(to: file)
    #expect(try check.problems(in: file).first?.hasPrefix("container:") == true)
  }

  @Test func `a missing, a third and a repeated track`() throws {
    #expect(try broken { $0.sound = nil }.contains(Rule.tracks.rawValue))
    #expect(
      try broken { $0.extra = ["-map", "0:v", "-map", "1:a", "-map", "1:a"] }
        .contains(Rule.tracks.rawValue))
  }

  @Test func `a place, a maker and a time`() throws {
    for (key, value) in [
      ("location", "+48.2082+016.3738/"), ("title", "mine"), ("comment", "pump"),
      ("creation_time", "2020-01-01T00:00:00Z"),
    ] {
      expect(try broken { $0.extra = ["-metadata", "\(key)=\(value)"] }, .metadata)
    }
  }

  @Test func `codec, profile and pixel format`() throws {
    #expect(
      try broken { $0.videoCodec = ["-c:v", "mpeg4"] }.contains(Rule.videoCodec.rawValue))
    expect(try broken { $0.videoCodec += ["-profile:v", "main"] }, .videoProfile)
    #expect(
      try broken {
        $0.videoFilter = "setsar=1,format=yuv444p"
        $0.videoCodec += ["-profile:v", "high444"]
      }.isSuperset(of: [Rule.videoProfile.rawValue, Rule.pixelFormat.rawValue]))
  }

  @Test func `interlaced`() throws {
    #expect(
      try broken { $0.videoCodec += ["-flags", "+ildct+ilme"] }
        .contains(Rule.progressive.rawValue))
  }

  @Test func `sizes`() throws {
    let picture = { (size: String) in "testsrc2=size=\(size):rate=30:duration=3.2" }
    expect(try broken { $0.picture = picture("1082x1080") })
    expect(try broken { $0.picture = picture("1082x1084") }, .frameSize)
    expect(try broken { $0.picture = picture("1922x64") }, .frameSize)
    #expect(
      try broken {
        $0.videoFilter = "format=yuv444p,scale=181:320,setsar=1"
        $0.videoCodec += ["-profile:v", "high444"]
      }.contains(Rule.evenSides.rawValue))
  }

  @Test func `pixels that are not square, and a picture that is turned`() throws {
    expect(try broken { $0.videoFilter = "setsar=4/3,format=yuv420p" }, .squarePixels)
    let file = folder.file("turned.mp4")
    try PlainReel().write(to: file)
    try BoxPatch.setMatrix(a: 0, b: 1, c: -1, d: 0, in: file)
    let problems = try IndependentCheck.problems(in: file)
    #expect(problems.count >= 2 && problems.allSatisfy { $0.hasPrefix("upright:") })
  }

  @Test func `each colour tag`() throws {
    for (option, value) in [
      ("color_range", "pc"), ("colorspace", "smpte170m"), ("color_primaries", "bt470bg"),
      ("color_trc", "smpte170m"),
    ] {
      let found = try broken { $0.videoCodec += ["-\(option)", value] }
      #expect(found.contains(Rule.colorTags.rawValue), "\(option)")
    }
  }

  @Test func `colour tags that are only in the container`() throws {
    expect(
      try broken {
        $0.extra = [
          "-bsf:v",
          "h264_metadata=colour_primaries=2:transfer_characteristics=2:matrix_coefficients=2",
        ]
      }, .colorTags)
  }

  @Test func `frame rates`() throws {
    expect(
      try broken {
        $0.picture = "testsrc2=size=180x320:rate=20:duration=3.2"
        $0.videoCodec += ["-g", "40"]
      }, .frameRate)
    #expect(
      try broken { $0.picture = "testsrc2=size=180x320:rate=70:duration=3.2" }
        .contains(Rule.frameRate.rawValue))
    #expect(
      try broken {
        $0.videoFilter += ",settb=1/90000,setpts='PTS+eq(N,40)*900'"
        $0.extra =
          ["-fps_mode", "passthrough", "-video_track_timescale", "90000"]
          + ["-enc_time_base", "1:90000"]
      }.contains(Rule.constantFrameRate.rawValue))
  }

  @Test func `GOPs that are too long or open`() throws {
    expect(
      try broken { $0.videoCodec += ["-g", "300", "-sc_threshold", "0"] }, .closedGOP)
    expect(
      try broken {
        $0.videoCodec += [
          "-g", "30", "-preset", "medium", "-x264-params", "open-gop=1:b-adapt=0:scenecut=0",
        ]
      }, .closedGOP)
  }

  @Test func `more than 25 Mbit in a second`() throws {
    let noise = "nullsrc=size=640x640:rate=30:duration=3.2,geq=random(1)*255:128:128"
    expect(
      try broken(IndependentCheck(cap: .max)) {
        $0.picture = noise
        $0.videoCodec +=
          ["-preset", "ultrafast", "-qp", "4", "-profile:v", "high"]
          + ["-coder", "1", "-x264-params", "8x8dct=1"]
      }, .peakBitRate)
  }

  @Test func `lengths and ends`() throws {
    expect(
      try broken {
        $0.picture = "testsrc2=size=180x320:rate=30:duration=2.5"
        $0.sound = "sine=sample_rate=48000:duration=2.5"
      }, .duration)
    #expect(
      try broken { $0.sound = "sine=sample_rate=48000:duration=3.3" }
        .contains(Rule.endsTogether.rawValue))
    expect(
      try broken {
        $0.picture = "testsrc2=size=64x64:rate=25:duration=60.8"
        $0.sound = "sine=sample_rate=48000:duration=60.8"
        $0.videoCodec += ["-g", "50"]
      }, .duration)
  }

  @Test func `a stream that does not start at 0`() throws {
    // Without negative composition offsets the reordering of B-frames delays the picture.
    expect(
      try broken { $0.container = ["-f", "mp4", "-use_editlist", "0", "-movflags", "+faststart"] },
      .startsAtZero, .endsTogether)
  }

  @Test func `sound`() throws {
    #expect(
      try broken {
        $0.audioCodec = ["-c:a", "libmp3lame"]
        $0.audioPackets = []
      }.contains(Rule.audioCodec.rawValue))
    #expect(
      try broken { $0.audioCodec += ["-ar", "96000"] }.contains(Rule.audioSampleRate.rawValue))
    expect(try broken { $0.audioCodec += ["-ac", "6"] }, .audioChannels)
  }

  @Test func `a file at its cap`() throws {
    let file = folder.file("reel.mp4")
    try PlainReel().write(to: file)
    let size = try Data(contentsOf: file).count
    #expect(try IndependentCheck(cap: Int64(size + 1)).problems(in: file) == [])
    #expect(
      try IndependentCheck(cap: Int64(size)).problems(in: file).map { $0.prefix(10) }
        == ["file-size:"])
  }

  @Test func `frames that do not decode`() throws {
    let file = folder.file("reel.mp4")
    try PlainReel().write(to: file)
    var data = try Data(contentsOf: file)
    let mdat = try #require(try BoxOracle(file).all("mdat").first)
    data.replaceSubrange(mdat.body, with: Data(count: mdat.body.count))
    try data.write(to: file)
    #expect(!(try IndependentCheck.problems(in: file)).isEmpty)
  }

  @Test func `a copied picture may have what contract md allows`() throws {
    let copy = IndependentCheck(isCopy: true)
    expect(
      try broken(copy) {
        $0.videoCodec += ["-profile:v", "main", "-g", "300", "-sc_threshold", "0"]
      })
  }
}
