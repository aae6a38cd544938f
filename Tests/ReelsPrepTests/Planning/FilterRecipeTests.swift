import ReelsFFmpeg
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

@Suite(.enabled(if: Tool.ffmpeg.isAvailable && Machine.hasZscale)) struct FilterRecipeTests {
  /// What every clip of `RecipeClip.color` shows.
  private static let color = [32.0, 192, 64]

  static let readings: [(String, RecipeClip)] = [
    ("untagged SD is BT.601", .color("yuv420p", matrix: "bt601")),
    ("untagged HD is BT.709", .color("yuv420p", size: "1280x720")),
    (
      "tagged HD is what it says",
      .color("yuv420p", size: "1280x720", matrix: "bt601", tags: ["-colorspace", "smpte170m"])
    ),
    ("tagged SD is what it says", .color("yuv420p", tags: ["-colorspace", "bt709"])),
    (
      "full range",
      .color(
        "yuv420p", size: "1280x720", range: "pc", tags: ["-color_range", "pc"])
    ),
    ("full range in its format", .color("yuvj420p", matrix: "bt601", range: "pc")),
    ("4:4:4", .color("yuv444p", size: "1280x720")),
    ("4:2:2 in ten bits", .color("yuv422p10le", size: "1280x720")),
    ("4:2:0 in twelve bits", .color("yuv420p12le", size: "1280x720")),
    (
      "BT.2020's matrix",
      .color("yuv420p10le", matrix: "bt2020", tags: ["-colorspace", "bt2020nc"])
    ),
    ("planar RGB", .color("gbrp")),
    ("packed RGB", RecipeClip(picture: color("rgb24"), codec: ["-c:v", "png"])),
    ("RGB with alpha", RecipeClip(picture: color("rgba"), codec: ["-c:v", "png"])),
    ("a palette", RecipeClip(picture: color("rgb24"), codec: [], container: "gif")),
    ("YUV with alpha", .color("yuva420p", matrix: "bt601")),
  ]

  private static func color(_ pixels: String) -> String {
    "color=c=0x20C040:s=320x240:r=25:d=0.08,format=\(pixels)"
  }

  @Test(arguments: readings, [true, false])
  func `colours are what they were, whatever they were stored as`(
    reading: (String, RecipeClip), hasZscale: Bool
  ) throws {
    let outcome = try reading.1.run(hasZscale: hasZscale)
    #expect(outcome.pixelFormat == "yuv420p")
    // GIF has palettes of its own making.
    let tolerance = reading.1.container == "gif" ? 8.0 : 4.0
    #expect(
      outcome.isNear(Self.color, within: tolerance),
      "\(reading.0): \(outcome.rgb) by \(outcome.description)")
  }

  @Test func `what is as it should be goes through untouched`() throws {
    let clip = RecipeClip.color(
      "yuv420p", size: "320x240",
      tags: [
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
        "-color_range", "tv",
      ])
    #expect(try clip.run().description == "setsar=1")
  }

  /// BT.2408: HDR's diffuse white, 203 cd/m², is 75 % of HLG and 58 % of PQ.
  @Test func `HLG and PQ of one brightness become one brightness`() throws {
    let hlg = try RecipeClip.gray10(64 + 876 * 75 / 100, transfer: "arib-std-b67").run()
    let pq = try RecipeClip.gray10(64 + 876 * 58 / 100, transfer: "smpte2084").run()
    #expect(abs(hlg.luma - pq.luma) < 10, "\(hlg.luma) and \(pq.luma)")
    #expect((170...225).contains(hlg.luma), "\(hlg.luma)")
    // Grey stays grey.
    for outcome in [hlg, pq] {
      #expect((outcome.rgb.max() ?? 0) - (outcome.rgb.min() ?? 0) < 3)
    }
  }

  /// The peak of HLG is its highest value, that of PQ is taken as 1,000 cd/m² where none is stated.
  @Test(arguments: [("arib-std-b67", 940), ("smpte2084", 722)])
  func `HDR's black is black, its dark is dark and its peak is no more than white`(
    transfer: String, peak: Int
  ) throws {
    let lumas = try [64, 200, 400, 600, 700, peak].map {
      try RecipeClip.gray10($0, transfer: transfer).run().luma
    }
    #expect(abs(lumas[0] - 16) < 1.5)
    #expect(zip(lumas, lumas.dropFirst()).allSatisfy { $0 <= $1 + 0.5 }, "\(lumas)")
    #expect((lumas.last ?? 0) <= 236 && (lumas.last ?? 0) > 220, "\(lumas)")
  }

  @Test func `alpha shows the canvas, without dark fringes`() throws {
    let half = RecipeClip(
      picture: "color=c=0x20C040@0.5:s=320x240:r=25:d=0.08,format=rgba", codec: ["-c:v", "png"])
    #expect(try half.run().isNear([16, 96, 32]))
    let onWhite = try half.run { $0.padColor = RGBColor(red: 255, green: 255, blue: 255) }
    #expect(onWhite.isNear([143.5, 223.5, 159.5]), "\(onWhite.rgb)")
  }

  @Test(arguments: ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "gbrp", "rgba"])
  func `every fit of an odd size fills its canvas`(pixels: String) throws {
    let clip = RecipeClip(
      picture: "testsrc2=s=321x181:r=25:d=0.08,format=\(pixels)",
      codec: ["-c:v", pixels == "rgba" ? "png" : "ffv1"])
    for fit in Fit.allCases {
      let outcome = try clip.run { request in
        request.fit = fit
        if fit != .keep { request.canvas = PixelSize(width: 180, height: 320) }
      }
      let expected =
        fit == .keep ? PixelSize(width: 320, height: 180) : .init(width: 180, height: 320)
      #expect(outcome.size == expected, "\(fit): \(outcome.description)")
      #expect(outcome.pixelFormat == "yuv420p")
    }
  }

  @Test func `a pad has the colour that was asked for`() throws {
    let clip = RecipeClip.color("yuv420p", size: "1280x720")
    for color in [[255, 0, 0], [0, 0, 0], [255, 255, 255], [18, 52, 86]] as [[UInt8]] {
      let outcome = try clip.run(crop: "160:16:0:0") { request in
        request.fit = .pad
        request.padColor = RGBColor(red: color[0], green: color[1], blue: color[2])
        request.canvas = PixelSize(width: 180, height: 320)
      }
      #expect(outcome.isNear(color.map(Double.init)), "\(outcome.rgb) for \(color)")
    }
    let middle = try clip.run(crop: "160:64:0:128") { request in
      request.fit = .pad
      request.padColor = RGBColor(red: 255, green: 0, blue: 0)
      request.canvas = PixelSize(width: 180, height: 320)
    }
    #expect(middle.isNear(Self.color))
  }

  /// One corner is white; a point (x, y) is mirrored first, then turned clockwise.
  @Test(arguments: [false, true], 0...3)
  func `all eight orientations are turned upright`(mirrored: Bool, turns: Int) throws {
    let clip = RecipeClip(
      picture: "color=black:s=128x64:r=25:d=0.08,drawbox=0:0:64:32:white:t=fill,format=yuv444p")
    let orientation = Orientation(quarterTurns: turns, mirrored: mirrored)
    // The corners in clockwise order; a mirrored white corner begins at the upper right.
    let corner = ((mirrored ? 1 : 0) + turns) % 4
    let size = orientation.exchangesSides ? (64, 128) : (128, 64)
    let places = [(0, 0), (1, 0), (1, 1), (0, 1)]
    for (index, place) in places.enumerated() {
      let (width, height) = (size.0 / 2 - 16, size.1 / 2 - 16)
      let (x, y) = (place.0 * size.0 / 2 + 8, place.1 * size.1 / 2 + 8)
      let outcome = try clip.run(
        crop: "\(width):\(height):\(x):\(y)", orientation: orientation)
      #expect(outcome.size == PixelSize(width: size.0, height: size.1))
      #expect(
        index == corner ? outcome.luma > 225 : outcome.luma < 25,
        "corner \(index): \(outcome.luma) by \(outcome.description)")
    }
  }

  /// The draft's tree is laid over the encode's pictures: it has to lie as they do.
  @Test(arguments: [false, true], 0...3)
  func `the small picture is turned and fitted as the large one`(mirrored: Bool, turns: Int) throws
  {
    let clip = RecipeClip(
      picture: "color=black:s=512x256:r=25:d=0.08,drawbox=0:0:256:128:white:t=fill,format=yuv444p")
    let orientation = Orientation(quarterTurns: turns, mirrored: mirrored)
    // A blurred backdrop is blurred more in the small picture, which says nothing of what moves.
    for fit in [Fit.pad, .crop] {
      func luma(_ divisor: Int?, _ part: String) throws -> RecipeClip.Outcome {
        try clip.run(crop: part, orientation: orientation, divisor: divisor) { request in
          request.fit = fit
          request.canvas = PixelSize(width: 512, height: 512)
        }
      }
      // Sixteen parts: which are bright has to be the same.
      for place in 0..<16 {
        let (x, y) = (place % 4, place / 4)
        let large = try luma(nil, "96:96:\(x * 128 + 16):\(y * 128 + 16)")
        let small = try luma(4, "24:24:\(x * 32 + 4):\(y * 32 + 4)")
        #expect(small.size == PixelSize(width: 128, height: 128))
        #expect(small.pixelFormat == "yuv420p")
        #expect(abs(large.luma - small.luma) < 30, "\(fit) \(place): \(small.description)")
      }
    }
  }

  @Test func `pixels that are not square become so`() throws {
    let clip = RecipeClip.color("yuv420p", size: "180x144")
    #expect(
      try clip.run(sampleAspect: Ratio(64, 45)).size == PixelSize(width: 256, height: 144))
  }

  @Test func `interlaced frames are deinterlaced, one for each`() throws {
    let clip = RecipeClip(picture: "testsrc2=s=320x240:r=25:d=0.12,format=yuv420p")
    let outcome = try clip.run(isInterlaced: true)
    #expect(outcome.description.hasPrefix("bwdif=mode=send_frame"))
    #expect(outcome.size == PixelSize(width: 320, height: 240))
  }

  @Test(arguments: Fit.allCases) func `a size that changes on the way keeps the canvas`(fit: Fit)
    throws
  {
    let clip = RecipeClip(picture: "testsrc2=s=200x300:r=25:d=0.08,format=yuv420p")
    let outcome = try clip.run(plannedSize: PixelSize(width: 320, height: 180)) { request in
      request.fit = fit
      if fit != .keep { request.canvas = PixelSize(width: 180, height: 320) }
    }
    let expected =
      fit == .keep ? PixelSize(width: 320, height: 180) : .init(width: 180, height: 320)
    #expect(outcome.size == expected, "\(outcome.description)")
  }
}
