import ReelsModel
import Testing

@testable import ReelsPrep

/// Which size the picture and the canvas have.
@Suite struct PlannerPictureTests {
  private static func size(_ width: Int, _ height: Int) -> PixelSize {
    PixelSize(width: width, height: height)
  }

  private func geometry(
    _ size: PixelSize, aspect: Ratio = Ratio(1), turns: Int = 0, fit: Fit = .keep,
    canvas: PixelSize? = nil
  ) throws -> VideoPlan.Geometry {
    var source = Source()
    source.size = size
    source.sampleAspect = aspect
    source.orientation = Orientation(quarterTurns: turns, mirrored: false)
    return try source.plan {
      $0.fit = fit
      $0.canvas = canvas
    }.video.geometry
  }

  /// Stories take 720x1280 or more; a picture is not enlarged unless it is asked for.
  @Test func `a picture that is too small for its destination is refused with a way out`() throws {
    var source = Source()
    source.size = Self.size(540, 960)
    let error = #expect(throws: PrepError.self) { try source.plan(preset: "stories") }
    #expect(error?.code == .badOption)
    #expect(error?.sentence.contains("720x1280") == true)
    #expect(error?.sentence.contains("--fit pad") == true)
    let padded = try source.plan(preset: "stories") { $0.fit = .pad }
    #expect(padded.video.geometry.canvas == Self.size(1080, 1920))
    source.size = Self.size(720, 1280)
    #expect(try source.plan(preset: "stories").video.geometry.canvas == Self.size(720, 1280))
  }

  @Test(arguments: [
    (size(1080, 1920), size(1080, 1920)), (size(1920, 1080), size(1920, 1080)),
    (size(3840, 2160), size(1920, 1080)), (size(2160, 3840), size(1080, 1920)),
    (size(1000, 1000), size(1000, 1000)), (size(2000, 2000), size(1080, 1080)),
    (size(640, 360), size(640, 360)), (size(1279, 719), size(1278, 718)),
    (size(321, 181), size(320, 180)), (size(4096, 2160), size(1920, 1012)),
    (size(1081, 1921), size(1080, 1920)), (size(1080, 1350), size(1080, 1350)),
    (size(1440, 1080), size(1440, 1080)), (size(1200, 1920), size(1080, 1728)),
  ])
  func `keep shows the picture's own shape, never enlarged`(
    size: PixelSize, expected: PixelSize
  ) throws {
    let geometry = try geometry(size)
    #expect(geometry.picture == expected)
    #expect(geometry.canvas == expected)
  }

  @Test(arguments: [
    (size(720, 576), Ratio(64, 45), size(1024, 576)),
    (size(720, 576), Ratio(16, 15), size(768, 576)),
    (size(720, 480), Ratio(8, 9), size(720, 540)),
    (size(1440, 1080), Ratio(4, 3), size(1920, 1080)),
    (size(720, 576), Ratio(16, 11), size(1048, 576)), (size(540, 1920), Ratio(2), size(1080, 1920)),
  ])
  func `pixels that are not square widen the side that is too short`(
    size: PixelSize, aspect: Ratio, expected: PixelSize
  ) throws {
    #expect(try geometry(size, aspect: aspect).canvas == expected)
    #expect(try geometry(size, aspect: aspect, turns: 1).canvas == expected.turned)
  }

  @Test(
    arguments: [
      (size(1920, 1080), size(1080, 608)), (size(1080, 1920), size(1080, 1920)),
      (size(320, 180), size(1080, 608)), (size(100, 100), size(1080, 1080)),
      (size(1000, 2000), size(960, 1920)),
    ], [Fit.pad, .blur])
  func `pad and blur show the whole picture on the whole canvas`(
    sizes: (PixelSize, PixelSize), fit: Fit
  ) throws {
    let geometry = try geometry(sizes.0, fit: fit)
    #expect(geometry.canvas == Self.size(1080, 1920))
    #expect(geometry.picture == sizes.1)
  }

  @Test(arguments: [
    (size(1920, 1080), size(3414, 1920)), (size(1080, 1920), size(1080, 1920)),
    (size(100, 100), size(1920, 1920)), (size(1000, 2000), size(1080, 2160)),
  ])
  func `crop covers the whole canvas`(size: PixelSize, expected: PixelSize) throws {
    let geometry = try geometry(size, fit: .crop)
    #expect(geometry.canvas == Self.size(1080, 1920))
    #expect(geometry.picture == expected)
  }

  @Test func `a turned picture is fitted upright`() throws {
    #expect(try geometry(Self.size(1920, 1080), turns: 1).canvas == Self.size(1080, 1920))
    #expect(try geometry(Self.size(1920, 1080), turns: 2).canvas == Self.size(1920, 1080))
    #expect(
      try geometry(Self.size(1080, 1920), turns: 3, fit: .pad).picture == Self.size(1080, 608))
  }

  @Test func `every size gives even sides inside the canvas in the picture's shape`() throws {
    var random = SeededGenerator(state: 1_080)
    for _ in 0..<2_000 {
      let size = Self.size(
        Int.random(in: 100...6000, using: &random), Int.random(in: 100...6000, using: &random))
      let shape = Double(size.width) / Double(size.height)
      guard (0.02...9).contains(shape) else { continue }
      for fit in Fit.allCases {
        let geometry = try geometry(size, fit: fit)
        let (picture, canvas) = (geometry.picture, geometry.canvas)
        for side in [picture.width, picture.height, canvas.width, canvas.height] {
          #expect(side % 2 == 0 && side > 0)
        }
        let columns = max(canvas.width, canvas.height)
        #expect(columns <= 1920 && min(canvas.width, canvas.height) <= 1080)
        switch fit {
        case .keep:
          #expect(picture == canvas)
          #expect(picture.width <= size.width && picture.height <= size.height)
        case .pad, .blur:
          #expect(picture.width <= canvas.width && picture.height <= canvas.height)
          #expect(picture.width >= canvas.width - 1 || picture.height >= canvas.height - 1)
        case .crop:
          #expect(picture.width >= canvas.width && picture.height >= canvas.height)
        }
        // A circle stays one to a pixel on either side.
        let scale = Double(picture.width) / Double(size.width)
        #expect(
          abs(Double(size.height) * scale - Double(picture.height)) <= 1 + 1.01 * max(1, 1 / shape))
      }
    }
  }

  @Test(arguments: [size(720, 1280), size(1080, 1080), size(1920, 1080), size(1080, 1920)])
  func `a canvas of the user's choice is taken`(canvas: PixelSize) throws {
    #expect(try geometry(Self.size(1920, 1080), fit: .pad, canvas: canvas).canvas == canvas)
  }

  @Test(arguments: [
    size(721, 1280), size(720, 1281), size(2160, 3840), size(1920, 1920), size(1080, 1922),
  ])
  func `a canvas that does not do is refused with what does`(canvas: PixelSize) {
    let error = #expect(throws: PrepError.self) {
      try geometry(Self.size(1920, 1080), fit: .pad, canvas: canvas)
    }
    #expect(error?.code == .badOption)
    #expect(error?.sentence.contains("--canvas \(canvas)") == true)
    #expect(error?.sentence.contains("1080x1920") == true)
  }

  @Test func `a shape that the platform does not take is refused, unless it is padded`() throws {
    let error = #expect(throws: PrepError.self) { try geometry(Self.size(4000, 200)) }
    #expect(error?.code == .badOption)
    #expect(error?.sentence.contains("--fit pad") == true)
    #expect(try geometry(Self.size(4000, 200), fit: .pad).picture == Self.size(1080, 54))
  }

  @Test func `a display size stays one through hostile aspect ratios`() {
    for aspect in [Ratio(1, .max), Ratio(.max), Ratio(1, 1_000_000)] {
      let display = PictureFit.displaySize(
        Self.size(1920, 1080), sampleAspect: aspect, orientation: .upright)
      #expect((1...(1 << 20)).contains(display.width))
      #expect((1...(1 << 20)).contains(display.height))
    }
  }
}
