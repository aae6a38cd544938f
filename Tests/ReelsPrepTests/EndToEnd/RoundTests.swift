import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// A circle stays a circle through every fit, from pixels that are not square and a picture that
  /// lies on its
  /// side.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct RoundTests {
    /// A white disc on black that is round where it is shown.
    static func circle(
      _ size: PixelSize, aspect: (Int, Int), rate: Int = 30, share: Double = 0.35
    ) -> String {
      let ratio = Double(aspect.0) / Double(aspect.1)
      let radius = share * min(Double(size.width) * ratio, Double(size.height))
      let (x, y) = (Double(size.width - 1) / 2, Double(size.height - 1) / 2)
      // Grey at its rim, in the measure of what the disc covers.
      // Drawn once, as the expression is slow.
      return "color=black:s=\(size):r=\(rate),trim=end_frame=1,format=gray,"
        + "geq=lum='clip(127.5+255*(\(radius)-hypot((X-\(x))*\(ratio),Y-\(y))),0,255)',"
        + "loop=loop=-1:size=1,setpts=N/\(rate)/TB,"
        + "setsar=\(aspect.0)/\(aspect.1),format=yuv420p"
    }

    /// The disc's diameters through the middle of the picture, to parts of a pixel.
    static func diameters(_ picture: Picture) -> (width: Double, height: Double) {
      let (x, y) = (picture.size.width / 2, picture.size.height / 2)
      // From the middle to the black ground around the disc.
      func reach(_ count: Int, _ value: (Int) -> Int) -> Double {
        (0..<count).map(value).prefix { $0 > 12 }.reduce(0) { $0 + Double($1) / 255 }
      }
      return (
        reach(picture.size.width - x) { picture.green(x: x + $0, y: y) }
          + reach(x) { picture.green(x: x - 1 - $0, y: y) },
        reach(picture.size.height - y) { picture.green(x: x, y: y + $0) }
          + reach(y) { picture.green(x: x, y: y - 1 - $0) }
      )
    }

    static func expectRound(_ picture: Picture, least: Double = 60) throws {
      let (width, height) = diameters(picture)
      #expect(abs(width - height) <= 1, "\(width) x \(height) in \(picture.size)")
      #expect(width >= least, "there is no disc")
    }

    /// Stored in 320x240 pixels of 4:3, shown turned: 240x426.67.
    @Test(arguments: Fit.allCases, [[0, 1, -1, 0], [0, 1, 1, 0]])
    func `stretched pixels and a turn together keep a circle round`(
      fit: Fit, matrix: [Int]
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        "disc.mp4",
        picture: Self.circle(PixelSize(width: 320, height: 240), aspect: (4, 3), share: 0.4),
        seconds: 3.2, SourceClip.copyable + ["-crf", "4"], in: folder)
      try BoxPatch.setMatrix(a: matrix[0], b: matrix[1], c: matrix[2], d: matrix[3], in: file)
      let made = try await Prepared.make(file, in: folder) {
        $0.fit = fit
        if fit != .keep { $0.canvas = PixelSize(width: 400, height: 480) }
      }
      let isTurned = matrix[0] == 0
      let (width, height) = (made.manifest.video?.width, made.manifest.video?.height)
      if fit == .keep {
        #expect((width, height) == (isTurned ? (240, 426) : (426, 240)))
      } else {
        #expect((width, height) == (400, 480))
      }
      #expect(made.manifest.steps.contains { $0.rule == .squarePixels })
      // Turned: 0.4 of 240 as radius; a crop of it is enlarged by 5/3, and a pad by 9/8.
      let least = fit == .crop ? 300.0 : isTurned && fit != .keep ? 210 : 170
      for picture in [try Picture(made.video, at: 1), try Picture(made.cover)] {
        try Self.expectRound(picture, least: least)
      }
    }
  }
}
