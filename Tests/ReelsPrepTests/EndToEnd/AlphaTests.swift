import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// What is transparent shows the canvas, also where the file hides black under it.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct AlphaTests {
    private static let canvas = RGBColor(red: 255, green: 255, blue: 0)

    /// Red on the right half, and left of it black that nobody is to see; on a yellow canvas of
    /// twice the size.
    private func made(
      _ name: String, alpha: String, _ arguments: [String], in folder: TemporaryDirectory
    ) async throws -> Prepared {
      let file = try SourceClip.make(
        name,
        picture:
          "color=black:s=160x120:r=10:d=4,format=rgba,geq=r='if(gt(X,79),255,0)':g=0:b=0:a='\(alpha)'",
        arguments, in: folder)
      return try await Prepared.make(file, in: folder) {
        ($0.fit, $0.canvas) = (.pad, PixelSize(width: 320, height: 240))
        $0.padColor = Self.canvas
      }
    }

    /// Red is in both colours and not in black: a pixel that lacks it is a fringe, but for what
    /// scaling and
    /// 4:2:0 take from the same picture without alpha.
    private func expectNoFringe(
      _ picture: Picture, right: [Double], in folder: TemporaryDirectory
    ) async throws {
      let opaque = try SourceClip.make(
        "opaque.mov",
        picture: "color=0xFFFF00:s=160x120:r=10:d=4,format=rgb24,"
          + "drawbox=80:0:80:120:0xFF\(right[1] > 0 ? "7F" : "00")00:t=fill",
        ["-c:v", "png"], in: folder)
      let slug = "opaque-\(UUID())"
      let control = try await Prepared.make(opaque, in: folder, slug: slug) {
        ($0.fit, $0.canvas) = (.pad, PixelSize(width: 320, height: 240))
      }
      let (least, usual) = (
        Self.leastRed(picture), Self.leastRed(try Picture(control.video, at: 1))
      )
      #expect(least > usual - 6, "a fringe of \(least), \(usual) without alpha")
      let left = picture.mean(x: 0.1...0.4, y: 0.2...0.8)
      #expect(SourceClip.isNear(left, [255, 255, 0], within: 10), "\(left)")
      let found = picture.mean(x: 0.6...0.9, y: 0.2...0.8)
      #expect(SourceClip.isNear(found, right, within: 10), "\(found)")
    }

    private static func leastRed(_ picture: Picture) -> Double {
      (8..<312).map { picture.color(x: $0, y: 120)[0] }.min() ?? 0
    }

    @Test(arguments: [("png", 255.0), ("qtrle", 255), ("png", 128)])
    func `MOV with alpha has no black fringes`(codec: String, alpha: Double) async throws {
      let folder = try TemporaryDirectory()
      let made = try await made(
        "alpha.mov", alpha: "if(gt(X,79),\(alpha),0)", ["-c:v", codec], in: folder)
      let picture = try Picture(made.video, at: 1)
      try await expectNoFringe(picture, right: [255, 255 - alpha, 0], in: folder)
    }

    @Test func `a GIF's transparent part has no black fringes`() async throws {
      let folder = try TemporaryDirectory()
      let made = try await made(
        "alpha.gif", alpha: "if(gt(X,79),255,0)",
        ["-vf", "split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse"], in: folder)
      let picture = try Picture(made.video, at: 1)
      try await expectNoFringe(picture, right: [255, 0, 0], in: folder)
      #expect(made.manifest.video?.frameRate == Ratio(30))
    }

    /// A soft edge is mixed with the canvas in the measure of its alpha.
    @Test func `a soft edge is between its colour and the canvas`() async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        "soft.mov",
        picture: "color=red:s=256x128:r=10,format=rgba,geq=r=255:g=0:b=0:a='X'",
        ["-c:v", "png"], in: folder)
      let made = try await Prepared.make(file, in: folder) {
        ($0.fit, $0.canvas) = (.pad, PixelSize(width: 256, height: 128))
        $0.padColor = Self.canvas
      }
      let picture = try Picture(made.video, at: 1)
      for x in stride(from: 8, to: 248, by: 16) {
        let color = picture.color(x: x, y: 64)
        #expect(
          SourceClip.isNear(color, [255, 255 - Double(x), 0], within: 12), "\(color) at \(x)")
      }
    }
  }
}
