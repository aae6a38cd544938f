private import Foundation

/// What SDR shows of HDR's samples.
///
/// A sample's light (ITU-R BT.2100-2: PQ's, or HLG's on a display of 1,000 cd/m²) in BT.709's primaries goes
/// through `ToneCurve` by its brightest colour, the others in proportion, so that no hue turns and no colour
/// clips before white does. What BT.709 cannot show is brought to its edge along the line to grey of the same
/// luminance. The result is for a display of ITU-R BT.1886.
public struct LightMap: Hashable, Sendable {
  public let source: ColorDescription
  public let curve: ToneCurve

  /// - Parameter source: PQ or HLG, with primaries and a matrix that `isKnown` knows.
  public init(source: ColorDescription, curve: ToneCurve) {
    self.source = source
    self.curve = curve
  }

  /// Whether a sample's light follows from its own values by a matrix.
  public static func isKnown(_ matrix: ColorMatrix) -> Bool { weights(of: matrix) != nil }

  /// Of red and blue in luma (ITU-T H.273 table 4).
  private static func weights(of matrix: ColorMatrix) -> (red: Double, blue: Double)? {
    switch matrix {
    case .bt709: (0.2126, 0.0722)
    case .bt470bg, .smpte170m: (0.299, 0.114)
    case .bt2020NonConstant: (0.2627, 0.0593)
    default: nil
    }
  }

  /// The 8-bit limited BT.709 samples, not rounded, of samples on the same scale and in the source's range.
  public func shown(luma: Double, blue: Double, red: Double) -> (
    luma: Double, blue: Double, red: Double
  ) {
    let isFull = source.range == .full
    let y = isFull ? luma / 255 : (luma - 16) / 219
    let cb = (blue - 128) / (isFull ? 255 : 224)
    let cr = (red - 128) / (isFull ? 255 : 224)
    let (kr, kb) = Self.weights(of: source.matrix) ?? (0.2627, 0.0593)
    let r = y + 2 * (1 - kr) * cr
    let b = y + 2 * (1 - kb) * cb
    let signal = SIMD3(r, (y - kr * r - kb * b) / (1 - kr - kb), b)
    let shown = fitted(bt709(light(signal)))
    func out(_ light: Double) -> Double { pow(max(0, light), 1 / Self.displayGamma) }
    let (outR, outG, outB) = (out(shown.x), out(shown.y), out(shown.z))
    let outY = 0.2126 * outR + 0.7152 * outG + 0.0722 * outB
    return (
      16 + 219 * outY, 128 + 224 * (outB - outY) / 1.8556, 128 + 224 * (outR - outY) / 1.5748
    )
  }

  private static let displayGamma = 2.4

  /// cd/m² of a signal's red, green and blue; what a matrix makes of samples may be out of range.
  private func light(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    if source.transfer == .pq {
      func light(_ value: Double) -> Double {
        (value < 0 ? -1 : 1) * ToneCurve.light(ofPQ: min(abs(value), 1))
      }
      return SIMD3(light(signal.x), light(signal.y), light(signal.z))
    }
    func scene(_ value: Double) -> Double {
      let size = min(abs(value), 1.1)
      let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
      return (value < 0 ? -1 : 1) * (size <= 0.5 ? size * size / 3 : (exp((size - c) / a) + b) / 12)
    }
    let light = SIMD3(scene(signal.x), scene(signal.y), scene(signal.z))
    let luminance = 0.2627 * light.x + 0.6780 * light.y + 0.0593 * light.z
    return light * (ToneCurve.usualPeak * pow(max(luminance, 1e-9), 0.2))
  }

  /// In BT.709's primaries (ITU-R BT.2407-0 for BT.2020's; Display P3's from SMPTE EG 432-1).
  private func bt709(_ light: SIMD3<Double>) -> SIMD3<Double> {
    let (x, y, z) = (light.x, light.y, light.z)
    switch source.primaries {
    case .bt2020:
      return SIMD3(
        1.6605 * x - 0.5876 * y - 0.0728 * z, -0.1246 * x + 1.1329 * y - 0.0083 * z,
        -0.0182 * x - 0.1006 * y + 1.1187 * z)
    case .displayP3:
      return SIMD3(
        1.2249 * x - 0.2247 * y, -0.0420 * x + 1.0419 * y,
        -0.0197 * x - 0.0786 * y + 1.0979 * z)
    default: return light
    }
  }

  /// SDR's light, white being 1.
  private func fitted(_ light: SIMD3<Double>) -> SIMD3<Double> {
    let brightest = light.max()
    guard brightest > 0 else { return .zero }
    let shown = light * (curve.light(brightest) / brightest / ToneCurve.referenceWhite)
    let least = shown.min()
    guard least < 0 else { return shown }
    let luminance = 0.2126 * shown.x + 0.7152 * shown.y + 0.0722 * shown.z
    guard luminance > 0 else { return .zero }
    return luminance + (shown - luminance) * (luminance / (luminance - least))
  }
}
