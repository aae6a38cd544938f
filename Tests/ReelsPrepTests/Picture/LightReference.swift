import Foundation

/// HDR's light and what SDR shows of it, in floating point from the standards' formulas, independent of
/// the product's.
enum LightReference {
  // SMPTE ST 2084 (ITU-R BT.2100-2 table 4).
  static func pqSignal(_ light: Double) -> Double {
    let y = pow(light / 10_000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
  }

  static func pqLight(_ signal: Double) -> Double {
    let e = pow(signal, 1 / 78.84375)
    return 10_000 * pow(max(e - 0.8359375, 0) / (18.8515625 - 18.6875 * e), 1 / 0.1593017578125)
  }

  /// HLG's signal for light on a display of 1,000 cd/m² (ITU-R BT.2100-2 table 5, BT.2020's primaries).
  static func hlgSignal(_ display: [Double]) -> [Double] {
    let light = display.map { $0 / 1_000 }
    let luminance = 0.2627 * light[0] + 0.6780 * light[1] + 0.0593 * light[2]
    // The inverse of the system's gamma of 1.2.
    let factor = luminance > 0 ? pow(luminance, (1 - 1.2) / 1.2) : 0
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    return light.map { value in
      let scene = value * factor
      return scene <= 1.0 / 12 ? (3 * scene).squareRoot() : a * log(12 * scene - b) + c
    }
  }

  /// Light of BT.709's primaries in BT.2020's (ITU-R BT.2087-0).
  static func bt2020(_ rgb: [Double]) -> [Double] {
    [
      0.6274 * rgb[0] + 0.3293 * rgb[1] + 0.0433 * rgb[2],
      0.0691 * rgb[0] + 0.9195 * rgb[1] + 0.0114 * rgb[2],
      0.0164 * rgb[0] + 0.0880 * rgb[1] + 0.8956 * rgb[2],
    ]
  }

  /// SDR's light, white being 1, for HDR's of BT.709's primaries: BT.2390's curve from `peak` to 203 cd/m²
  /// on the brightest colour.
  static func toneMapped(_ rgb: [Double], peak: Double) -> [Double] {
    let brightest = rgb.max() ?? 0
    guard brightest > 0 else { return [0, 0, 0] }
    let top = pqSignal(peak)
    let e1 = min(pqSignal(brightest) / top, 1)
    let maximum = pqSignal(203) / top
    let kneeStart = 1.5 * maximum - 0.5
    var e2 = e1
    if e1 >= kneeStart, kneeStart < 1 {
      let t = (e1 - kneeStart) / (1 - kneeStart)
      e2 =
        (2 * t * t * t - 3 * t * t + 1) * kneeStart + (t * t * t - 2 * t * t + t) * (1 - kneeStart)
        + (-2 * t * t * t + 3 * t * t) * maximum
    }
    let factor = min(pqLight(e2 * top) / 203, 1) / brightest
    return rgb.map { $0 * factor }
  }
}
