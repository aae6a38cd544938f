import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

/// HDR's colours in SDR, against a floating-point reference.
@Suite(.enabled(if: Tool.ffmpeg.isAvailable && Machine.hasZscale)) struct ToneMapTests {
  /// Light in cd/m² of BT.709's primaries: greys, saturated colours and faces, from the dark to the peak.
  static let lights: [[Double]] = {
    let hues: [[Double]] = [
      [1, 1, 1], [1, 0.1, 0.1], [0.1, 1, 0.1], [0.1, 0.1, 1], [1, 1, 0.15], [0.15, 1, 1],
      [1, 0.15, 1], [1, 0.62, 0.45], [0.5, 0.3, 0.2], [0.3, 0.6, 1],
    ]
    let levels = [0.5, 2, 10, 30, 60, 100, 150, 203, 300, 450, 600, 800, 1_000]
    return hues.flatMap { hue in levels.map { level in hue.map { $0 * level } } }
  }()

  private func chart(_ transfer: String, _ lights: [[Double]]) -> PatchChart {
    let signals = lights.map { light in
      let wide = LightReference.bt2020(light)
      return transfer == "smpte2084"
        ? wide.map(LightReference.pqSignal) : LightReference.hlgSignal(wide)
    }
    return PatchChart(
      colors: signals, columns: min(20, signals.count),
      storage: .init("yuv420p10le", PatchChart.Storage.bt2020),
      tags: [
        "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_trc", transfer,
        "-color_range", "tv",
      ])
  }

  private func shown(
    _ chart: PatchChart, peak: Double?, divisor: Int = 1
  ) throws -> [[Double]] {
    let folder = try TemporaryDirectory()
    let file = folder.file("chart.mkv")
    try chart.write(to: file.path)
    let made = try RecipeClip.make(of: file.filePath, peakLuminance: peak) { request in
      guard divisor > 1 else { return }
      request.fit = .pad
      request.canvas = PixelSize(
        width: chart.size.width / divisor, height: chart.size.height / divisor)
    }
    return chart.read(made.frame, divisor: divisor)
  }

  @Test(arguments: ["arib-std-b67", "smpte2084"], [1, 2])
  func `every light is where the standards' arithmetic puts it`(
    transfer: String, divisor: Int
  ) throws {
    let chart = chart(transfer, Self.lights)
    let expected = Self.lights.map {
      LightReference.toneMapped($0, peak: 1_000).map { pow($0, 1 / 2.4) }
    }
    let found = try shown(chart, peak: nil, divisor: divisor)
    let errors = ColorErrors(found, expected)
    // Between the table's nodes the brightest colour of a saturated yellow comes out too dark.
    #expect(errors.mean <= 1 && errors.most <= 2.5, "\(transfer): \(errors)")
  }

  @Test(arguments: ["arib-std-b67", "smpte2084"])
  func `no hue turns, and no face at reference white clips`(transfer: String) throws {
    let found = try shown(chart(transfer, Self.lights), peak: nil)
    for (signal, light) in zip(found, Self.lights) {
      let (shown, meant) = (LabColor(signal: signal), LabColor(linear: light.map { $0 / 203 }))
      // The hue of a colour that is nearly grey, or dark, is that of its rounding and of the table's nodes.
      guard shown.chroma > 12, shown.l > 30 else { continue }
      let turn = abs((shown.hue - meant.hue + 540).truncatingRemainder(dividingBy: 360) - 180)
      #expect(turn < 2, "\(light) turned by \(turn)°")
      if light.max() == 203 { #expect((signal.max() ?? 1) < 0.97, "\(light) is \(signal)") }
    }
  }

  /// Diffuse white is from 85 to 97 % of SDR's signal whatever the file says of its peak: 203 cd/m² of
  /// 1,000 are 79 % of SDR's light.
  @Test(arguments: [nil, 1.0, 400, 1_000, 4_000, 10_000, .infinity] as [Double?])
  func `diffuse white is at its place, whatever peak the file states`(peak: Double?) throws {
    for transfer in ["arib-std-b67", "smpte2084"] {
      let found = try shown(chart(transfer, [[203, 203, 203], [20, 20, 20]]), peak: peak)
      let white = found[0].reduce(0, +) / 3
      #expect((0.85...1).contains(white), "\(transfer), \(String(describing: peak)): \(white)")
      // What is dark stays as bright as it is.
      let dark = found[1].reduce(0, +) / 3
      #expect(abs(dark - pow(20.0 / 203, 1 / 2.4)) < 0.01)
    }
  }

  @Test func `what is brighter than the stated peak becomes white, not another hue`() throws {
    let found = try shown(chart("smpte2084", [[4_000, 2_400, 1_600]]), peak: 1_000)
    let expected = [1, 0.6, 0.4].map { pow($0, 1 / 2.4) }
    #expect(zip(found[0], expected).allSatisfy { abs($0 - $1) < 0.02 }, "\(found)")
  }
}
