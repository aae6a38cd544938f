import ReelsModel
import ReelsPrep
import Testing

@Suite(
  "Verification: the picture",
  .enabled(if: VerificationClip.isPossible, "the ffmpeg command is not installed"))
struct VerificationPictureTests {
  private typealias Patcher = VerificationPatcher
  private static let entry = "moov/trak[0]/mdia/minf/stbl/stsd/avc1"

  @Test func `a picture that fits the canvas on neither side breaks frame-size`() throws {
    let bytes = try VerificationClip.compliant.get()
    let canvas = { (width: Int, height: Int) in
      Preset.verificationTest.with {
        $0.canvas.value = PixelSize(width: width, height: height)
      }
    }
    #expect(try brokenRules(bytes, preset: canvas(320, 568)) == [])
    #expect(try brokenRules(bytes, preset: canvas(568, 320)) == [])
    #expect(try brokenRules(bytes, preset: canvas(319, 568)) == [.frameSize])
  }

  @Test func `a container that states another size breaks frame-size`() throws {
    var file = try Patcher.compliant()
    try file.overwrite(Self.entry, at: 32, with: [1, 62])
    try file.overwrite("moov/trak[0]/tkhd", at: 84, with: 318 << 16)
    #expect(try brokenRules(file.bytes) == [.frameSize])
  }

  @Test func `a box that crops breaks frame-size`() throws {
    var file = try Patcher.compliant()
    try file.append(Patcher.box("clap", [UInt8](repeating: 0, count: 32)), to: Self.entry)
    #expect(try brokenRules(file.bytes) == [.frameSize])
  }

  @Test func `more columns than allowed break columns`() throws {
    let preset = Preset.verificationTest.with { $0.columnsMaximum.value = 319 }
    #expect(try brokenRules(try VerificationClip.compliant.get(), preset: preset) == [.columns])
  }

  @Test func `a shape outside the bounds breaks aspect`() throws {
    let preset = Preset.verificationTest.with { $0.aspect.value.minimum = 0.6 }
    #expect(try brokenRules(try VerificationClip.compliant.get(), preset: preset) == [.aspect])
  }

  /// Only without chroma subsampling can a side be odd: two more rules break with it.
  @Test func `odd sides break even-sides, with chroma-420-8bit and video-profile`() throws {
    var clip = VerificationClip(filter: "format=yuv444p,scale=321:569,setsar=1")
    (clip.codec[3], clip.codec[5]) = ("high444", "yuv444p")
    let broken = try brokenRules(try clip.bytes())
    #expect(broken == [.videoProfile, .pixelFormat, .evenSides])
  }

  @Test func `pixels that are not square break square-pixels`() throws {
    #expect(try brokenRules(try VerificationClip(filter: "setsar=4/3").bytes()) == [.squarePixels])
  }

  @Test func `a container that stretches the picture breaks square-pixels`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("\(Self.entry)/pasp", at: 8, with: 2)
    #expect(try brokenRules(file.bytes) == [.squarePixels])
    file = try Patcher.compliant()
    try file.overwrite("moov/trak[0]/tkhd", at: 84, with: 640 << 16)
    #expect(try brokenRules(file.bytes) == [.squarePixels])
  }

  @Test func `a turned track breaks upright and is described`() throws {
    var file = try Patcher.compliant()
    let quarter = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000].flatMap(Patcher.big)
    try file.overwrite("moov/trak[0]/tkhd", at: 48, with: quarter)
    let report = try verify(file.bytes)
    #expect(report.failures.map(\.rule) == [.upright])
    #expect(report.finding(.upright)?.found == "turned 90° clockwise")
    #expect(report.finding(.upright)?.location?.hasPrefix("moov/trak[0]/tkhd at byte ") == true)
  }

  @Test func `a turned movie breaks upright`() throws {
    var file = try Patcher.compliant()
    try file.overwrite("moov/mvhd", at: 44, with: -0x10000)
    #expect(try brokenRules(file.bytes) == [.upright])
  }
}
