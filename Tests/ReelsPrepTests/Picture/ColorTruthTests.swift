import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

/// Colours of even patches, by whatever way they were stored, against the arithmetic of the standards.
@Suite(.enabled(if: Tool.ffmpeg.isAvailable && Machine.hasZscale)) struct ColorTruthTests {
  /// 125 colours of the whole cube, greys and a few faces.
  static let colors: [[Double]] = {
    let levels = [0, 0.25, 0.5, 0.75, 1.0]
    let cube = levels.flatMap { red in
      levels.flatMap { green in levels.map { blue in [red, green, blue] } }
    }
    let grays = (1..<12).map { [Double](repeating: Double($0) / 12, count: 3) }
    return cube + grays + [[0.77, 0.58, 0.48], [0.36, 0.23, 0.18], [0.95, 0.8, 0.72]]
  }()

  struct Way: Sendable, CustomTestStringConvertible {
    var name: String
    var storage: PatchChart.Storage
    /// Whether it is as wide as HD.
    var isHD = true
    var tags: [String] = []

    var testDescription: String { name }
  }

  static let ways: [Way] = {
    let (bt601, bt2020) = (PatchChart.Storage.bt601, PatchChart.Storage.bt2020)
    func tags(_ matrix: String, _ range: String = "tv") -> [String] {
      ["-colorspace", matrix, "-color_range", range]
    }
    return [
      Way(name: "untagged HD", storage: .init("yuv420p")),
      Way(name: "untagged SD", storage: .init("yuv420p", bt601), isHD: false),
      Way(name: "601 in HD", storage: .init("yuv420p", bt601), tags: tags("smpte170m")),
      Way(name: "470bg in HD", storage: .init("yuv420p", bt601), tags: tags("bt470bg")),
      Way(name: "709 in SD", storage: .init("yuv420p"), isHD: false, tags: tags("bt709")),
      Way(name: "full range", storage: .init("yuv420p", isFull: true), tags: tags("bt709", "pc")),
      Way(
        name: "full range by format", storage: .init("yuvj420p", bt601, isFull: true), isHD: false),
      Way(name: "4:2:2", storage: .init("yuv422p")),
      Way(name: "4:4:4", storage: .init("yuv444p")),
      Way(name: "ten bits", storage: .init("yuv420p10le")),
      Way(name: "4:2:2 in ten bits", storage: .init("yuv422p10le")),
      Way(name: "4:4:4 in twelve bits", storage: .init("yuv444p12le")),
      Way(
        name: "full range in ten bits", storage: .init("yuv420p10le", isFull: true),
        tags: tags("bt709", "pc")),
      Way(name: "2020's matrix", storage: .init("yuv420p10le", bt2020), tags: tags("bt2020nc")),
      Way(name: "planar RGB", storage: .init("gbrp")),
      Way(name: "planar RGB in ten bits", storage: .init("gbrp10le")),
    ]
  }()

  @Test(arguments: ways, [true, false])
  func `no colour differs by what can be seen`(way: Way, hasZscale: Bool) throws {
    let chart = PatchChart(
      colors: Self.colors, columns: way.isHD ? 20 : 18, storage: way.storage, tags: way.tags)
    let folder = try TemporaryDirectory()
    let file = folder.file("chart.mkv")
    try chart.write(to: file.path)
    for divisor in [1, 2] {
      let made = try RecipeClip.make(of: file.filePath, hasZscale: hasZscale) { request in
        guard divisor > 1 else { return }
        request.fit = .pad
        request.canvas = PixelSize(
          width: chart.size.width / divisor, height: chart.size.height / divisor)
      }
      let errors = ColorErrors(chart.read(made.frame, divisor: divisor), chart.stored)
      #expect(errors.areSmall, "\(way.name), 1/\(divisor): \(errors) by \(made.description)")
    }
  }

  /// Pairs of Sharma, Wu and Dalal's table of 2005.
  @Test(
    arguments: [
      ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425),
      ([50, 2.5, 0], [50, 0, -2.5], 4.3065),
      ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
      ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ] as [([Double], [Double], Double)])
  func `the measure is CIEDE2000`(one: [Double], two: [Double], difference: Double) {
    func lab(_ values: [Double]) -> LabColor {
      LabColor(l: values[0], a: values[1], b: values[2])
    }
    #expect(abs(lab(one).difference(to: lab(two)) - difference) < 1e-4)
  }
}
