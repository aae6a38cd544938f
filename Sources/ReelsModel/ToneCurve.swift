private import Foundation

/// How light beyond SDR's white is fitted below it: the electrical-electrical transfer function of ITU-R
/// BT.2390-11 §5.4.1.
///
/// SDR's white is HDR's reference white, 203 cd/m² (ITU-R BT.2408-7 table 1): what lies below the knee keeps
/// its light, and reference white itself comes out at 79 % of SDR's where the peak is 1,000 cd/m².
public struct ToneCurve: Hashable, Sendable {
  /// The brightest that the source shows, cd/m², between `referenceWhite` and `usualPeak`.
  public let sourcePeak: Double

  /// cd/m² (ITU-R BT.2408-7 table 1).
  public static let referenceWhite = 203.0
  /// cd/m² of HLG's display (ITU-R BT.2100-2), and of most PQ masters. A higher stated peak would darken
  /// the whole picture for highlights that hardly occur.
  public static let usualPeak = 1_000.0

  /// - Parameter statedPeak: what the file says of its content or mastering display; files lie.
  public init(statedPeak: Double?) {
    let stated = statedPeak.flatMap { $0.isFinite ? $0 : nil } ?? Self.usualPeak
    sourcePeak = min(max(stated, Self.referenceWhite), Self.usualPeak)
  }

  /// The light to show for light of the source, in cd/m²; at most `referenceWhite`.
  public func light(_ light: Double) -> Double {
    let peak = Self.pq(sourcePeak)
    let white = Self.pq(Self.referenceWhite) / peak
    let signal = Self.pq(min(light, sourcePeak)) / peak
    let knee = 1.5 * white - 0.5
    guard signal > knee, knee < 1 else { return min(light, Self.referenceWhite) }
    let t = (signal - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    let mapped =
      (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * white
    return min(Self.light(ofPQ: mapped * peak), Self.referenceWhite)
  }

  // MARK: SMPTE ST 2084

  private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
  private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

  /// The PQ signal, 0 to 1, of light in cd/m².
  static func pq(_ light: Double) -> Double {
    let y = pow(max(0, light) / 10_000, m1)
    return pow((c1 + c2 * y) / (1 + c3 * y), m2)
  }

  /// The light in cd/m² of a PQ signal.
  static func light(ofPQ signal: Double) -> Double {
    let e = pow(max(0, signal), 1 / m2)
    return 10_000 * pow(max(0, e - c1) / (c2 - c3 * e), 1 / m1)
  }
}
