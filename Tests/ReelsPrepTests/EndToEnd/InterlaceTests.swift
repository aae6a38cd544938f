import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Interlaced material is deinterlaced where its frames say so, whatever the container says.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct InterlaceTests {
    /// Fields of a moving bar, half a frame apart.
    private static func bar(_ scan: String) -> String {
      "color=black:s=320x240:r=50:d=4,drawbox=0:0:40:240:white:t=fill,scroll=h=0.03,"
        + "interlace=scan=\(scan)"
    }

    private static func mpeg2(_ top: String) -> [String] {
      ["-c:v", "mpeg2video", "-q:v", "2", "-g", "5", "-flags", "+ildct+ilme", "-top", top]
    }

    private static func h264(_ parameters: String) -> [String] {
      [
        "-c:v", "libx264", "-preset", "superfast", "-crf", "10", "-flags", "+ildct+ilme",
        "-x264-params", parameters, "-pix_fmt", "yuv420p",
      ] + CopyClip.tags
    }

    struct Kind: Sendable, CustomTestStringConvertible {
      var name: String
      var scan: String
      var arguments: [String]
      var testDescription: String { "\(name), \(scan), \(arguments[1])" }
    }

    static let kinds = [
      Kind(name: "top.ts", scan: "tff", arguments: mpeg2("1")),
      Kind(name: "bottom.ts", scan: "bff", arguments: mpeg2("0")),
      Kind(name: "top.mp4", scan: "tff", arguments: h264("interlaced=1:tff=1")),
      Kind(name: "bottom.mp4", scan: "bff", arguments: h264("interlaced=1:bff=1")),
      Kind(
        name: "studio.mxf", scan: "tff",
        arguments: mpeg2("1") + ["-pix_fmt", "yuv422p", "-intra_vlc", "1", "-g", "1"]),
    ]

    /// Where two lines that touch differ, and the next but one is like the first.
    private func combs(_ picture: Picture) -> Int {
      var combs = 0
      for y in stride(from: 40, to: 200, by: 2) {
        for x in 0..<picture.size.width {
          let (first, second) = (picture.green(x: x, y: y), picture.green(x: x, y: y + 1))
          if abs(first - second) > 100, abs(first - picture.green(x: x, y: y + 2)) < 20 {
            combs += 1
          }
        }
      }
      return combs
    }

    private func expectDeinterlaced(_ made: Prepared, from file: URL) throws {
      #expect(try combs(Picture(file, at: 2)) > 300, "the source has no combs")
      for seconds in [0.5, 2, 3.4] {
        let found = try combs(Picture(made.video, at: seconds))
        #expect(found < 50, "\(found) pixels are combed at \(seconds) s")
      }
      #expect(made.manifest.steps.contains { $0.rule == .progressive && $0.action == .encode })
      #expect(made.manifest.source.interlaced)
      #expect(made.manifest.video?.frameRate == Ratio(25))
      #expect(made.manifest.video?.frames == 100)
    }

    @Test(arguments: kinds) func `fields become whole frames`(kind: Kind) async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        kind.name, picture: Self.bar(kind.scan), kind.arguments, in: folder)
      try expectDeinterlaced(try await Prepared.make(file, in: folder), from: file)
    }

    @Test func `a container that hides the fields is not believed`() async throws {
      let folder = try TemporaryDirectory()
      let plain = try SourceClip.make(
        "plain.mp4", picture: Self.bar("tff"), Self.h264("interlaced=1:tff=1"), in: folder)
      let file = try SourceClip.remux(
        plain, to: "lies.mkv", ["-c", "copy", "-field_order", "progressive"], in: folder)
      #expect(try Probe(file).video?.fieldOrder == "progressive")
      try expectDeinterlaced(try await Prepared.make(file, in: folder), from: file)
    }

    @Test(arguments: [
      ("lies.mkv", SourceClip.copyable), ("lies.mov", ["-c:v", "mjpeg", "-q:v", "3"]),
    ])
    func `a container that invents fields is not believed`(
      name: String, codec: [String]
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        name, picture: "testsrc2=s=320x240:r=25", codec + ["-field_order", "tt"], in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(!made.manifest.source.interlaced)
      #expect(!made.manifest.steps.contains { $0.rule == .progressive })
      #expect(made.isCopy(.video) == (name == "lies.mkv"))
    }

    /// DVB's 576 lines, fields and pixels of 64:45 together: 1024 wide, and a circle is one.
    @Test func `anamorphic fields of DVB are shown wide and whole`() async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        "dvb.ts",
        picture: RoundTests.circle(PixelSize(width: 720, height: 576), aspect: (64, 45), rate: 25),
        seconds: 3.2, Self.mpeg2("1"), in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.manifest.source.sampleAspect == Ratio(64, 45))
      #expect((made.manifest.video?.width, made.manifest.video?.height) == (1024, 576))
      try RoundTests.expectRound(try Picture(made.video, at: 1))
    }

    /// Colours of 4:2:2 keep their places: a lower half of another colour begins in the middle.
    @Test(arguments: ["colours.ts", "colours.mxf"]) func `MPEG-2 in 4:2:2 keeps its colours`(
      name: String
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        name,
        picture:
          "color=red:s=320x240:r=25,drawbox=160:0:160:240:blue:t=fill,format=yuv422p",
        ["-c:v", "mpeg2video", "-q:v", "2", "-pix_fmt", "yuv422p"], in: folder)
      #expect(try Probe(file).video?.pixFmt == "yuv422p")
      let made = try await Prepared.make(file, in: folder)
      let picture = try Picture(made.video, at: 1)
      let left = picture.mean(x: 0.05...0.45, y: 0.1...0.9)
      let right = picture.mean(x: 0.55...0.95, y: 0.1...0.9)
      #expect(SourceClip.isNear(left, [255, 0, 0], within: 12), "\(left)")
      #expect(SourceClip.isNear(right, [0, 0, 255], within: 12), "\(right)")
    }
  }
}
