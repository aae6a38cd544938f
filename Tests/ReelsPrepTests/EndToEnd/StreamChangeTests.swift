import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// A stream whose pictures change in the middle: the canvas is the first one's, and shapes are
  /// kept.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct StreamChangeTests {
    private static let h264 = ["-c:v", "libx264", "-preset", "superfast", "-crf", "8", "-g", "30"]

    /// Three seconds of one picture, and three of another.
    private func joined(
      _ parts: [(picture: String, arguments: [String])], in folder: TemporaryDirectory
    ) throws -> URL {
      var data = Data()
      for (index, part) in parts.enumerated() {
        data.append(
          try Data(
            contentsOf: try SourceClip.make(
              "part\(index).ts", picture: part.picture, sounds: ["sine=r=48000"], seconds: 3,
              Self.h264 + part.arguments + ["-c:a", "aac"],
              in: folder)))
      }
      let file = folder.file("joined.ts")
      try data.write(to: file)
      return file
    }

    struct Second: Sendable, CustomTestStringConvertible {
      var size: PixelSize
      var aspect = (1, 1)
      var fit = Fit.keep
      var testDescription: String { "\(size), pixels of \(aspect), \(fit)" }
    }

    static let seconds = [
      Second(size: PixelSize(width: 240, height: 240)),
      Second(size: PixelSize(width: 640, height: 360), fit: .crop),
      Second(size: PixelSize(width: 180, height: 320)),
      Second(size: PixelSize(width: 320, height: 240), aspect: (4, 3)),
      Second(size: PixelSize(width: 320, height: 240), aspect: (4, 3), fit: .crop),
    ]

    @Test(arguments: seconds) func `another size keeps its shape on the first one's canvas`(
      second: Second
    ) async throws {
      let folder = try TemporaryDirectory()
      let first = PixelSize(width: 320, height: 180)
      let disc = { (size: PixelSize, aspect: (Int, Int)) in
        RoundTests.circle(size, aspect: aspect, share: 0.25)
      }
      let file = try joined(
        [
          (disc(first, (1, 1)), ["-pix_fmt", "yuv420p"]),
          (disc(second.size, second.aspect), ["-pix_fmt", "yuv420p"]),
        ], in: folder)
      let made = try await Prepared.make(file, in: folder) {
        $0.fit = second.fit
        if second.fit == .crop { $0.canvas = PixelSize(width: 320, height: 320) }
      }
      #expect(made.manifest.video?.frames == 180)
      #expect(made.manifest.damage.framesConcealed == 0)
      if second.fit == .keep { #expect(made.manifest.video?.height == 180) }
      for seconds in [1.0, 3.2, 5] {
        try RoundTests.expectRound(try Picture(made.video, at: seconds), least: 40)
      }
    }

    @Test(arguments: [
      ["-pix_fmt", "yuv444p"], ["-pix_fmt", "yuv422p10le"], ["-pix_fmt", "yuv420p10le"],
      ["-pix_fmt", "yuvj420p", "-color_range", "pc"],
    ]) func `another pixel format keeps the colours`(arguments: [String]) async throws {
      let folder = try TemporaryDirectory()
      let picture = "color=0x3C78C8:s=320x180:r=30,scale=out_color_matrix=bt709,format=yuv444p"
      let tags = ["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709"]
      let file = try joined(
        [(picture, ["-pix_fmt", "yuv420p"] + tags), (picture, arguments + tags)], in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.manifest.video?.frames == 180)
      #expect(made.manifest.damage.framesConcealed == 0)
      for seconds in [1.0, 3.2, 5] {
        let color = try Picture(made.video, at: seconds).mean(x: 0.1...0.9, y: 0.1...0.9)
        #expect(SourceClip.isNear(color, [60, 120, 200]), "\(color) at \(seconds) s")
      }
    }
  }
}
