/// An exact fraction, used for frame rates, aspect ratios and time bases.
///
/// Always reduced, with a positive denominator. Arithmetic never traps: a result that does not fit
/// is rounded to the nearest billionth, above nine billion to as many decimals as fit, and beyond
/// what fits at all it is clamped, because the numbers may come from a hostile file.
public struct Ratio: Hashable, Sendable {
  public let num: Int64
  public let den: Int64

  /// A fraction in lowest terms.
  ///
  /// - Returns: nil when `den` is zero or the reduced values do not fit, as for a 0/0 aspect ratio.
  public init?(_ num: Int64, over den: Int64) {
    guard den != 0 else { return nil }
    let negative = (num < 0) != (den < 0)
    let divisor = Self.greatestCommonDivisor(num.magnitude, den.magnitude)
    let reducedNum = num.magnitude / divisor
    let reducedDen = den.magnitude / divisor
    guard reducedNum <= UInt64(Int64.max), reducedDen <= UInt64(Int64.max) else { return nil }
    self.num = negative ? -Int64(reducedNum) : Int64(reducedNum)
    self.den = Int64(reducedDen)
  }

  /// A whole number.
  public init(_ value: Int64) {
    self.num = value == .min ? .min + 1 : value
    self.den = 1
  }

  /// A fraction of two literals known to be sound.
  ///
  /// - Precondition: `den` is not zero.
  public init(_ num: Int64, _ den: Int64) {
    guard let value = Ratio(num, over: den) else {
      preconditionFailure("a ratio needs a denominator that is not zero: \(num)/\(den)")
    }
    self = value
  }

  /// The nearest billionth to `value`, or as many decimals as fit; clamped to what fits at all.
  public init(approximating value: Double) {
    guard value.magnitude < 9.2e18 else {
      self.init(value.isNaN ? 0 : value > 0 ? .max : -.max)
      return
    }
    var scale: Int64 = 1_000_000_000
    while value.magnitude * Double(scale) >= 9.2e18 { scale /= 10 }
    // The parts apart, as a time of day times a billion has more digits than a double.
    let whole = value.rounded(.towardZero)
    let rest = Int64(((value - whole) * Double(scale)).rounded())
    self = Ratio(Int64(whole) * scale + rest, over: scale) ?? Ratio(0)
  }

  public var doubleValue: Double { Double(num) / Double(den) }

  /// The reciprocal; nil for zero.
  public var inverted: Ratio? { Ratio(den, over: num) }

  public var isPositive: Bool { num > 0 }

  /// The largest whole number that is not above the value.
  public var floor: Int64 {
    let (quotient, remainder) = num.quotientAndRemainder(dividingBy: den)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// The smallest whole number that is not below the value.
  public var ceiling: Int64 {
    let (quotient, remainder) = num.quotientAndRemainder(dividingBy: den)
    return remainder > 0 ? quotient + 1 : quotient
  }

  /// The nearest whole number; halves go up.
  public var rounded: Int64 {
    // Not `(self + 1/2).floor`: near the extremes the sum does not fit.
    var (below, rest) = num.quotientAndRemainder(dividingBy: den)
    if rest < 0 { (below, rest) = (below - 1, rest + den) }
    return rest >= den - rest ? below + 1 : below
  }

  static func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return max(x, 1)
  }
}

extension Ratio: Comparable {
  public static func < (a: Ratio, b: Ratio) -> Bool {
    let left = a.num.multipliedFullWidth(by: b.den)
    let right = b.num.multipliedFullWidth(by: a.den)
    return (left.high, left.low) < (right.high, right.low)
  }
}

extension Ratio {
  public static func + (a: Ratio, b: Ratio) -> Ratio {
    let divisor = Int64(greatestCommonDivisor(a.den.magnitude, b.den.magnitude))
    let (left, o1) = a.num.multipliedReportingOverflow(by: b.den / divisor)
    let (right, o2) = b.num.multipliedReportingOverflow(by: a.den / divisor)
    let (sum, o3) = left.addingReportingOverflow(right)
    let (den, o4) = (a.den / divisor).multipliedReportingOverflow(by: b.den)
    if !o1, !o2, !o3, !o4, let exact = Ratio(sum, over: den) { return exact }
    return Ratio(approximating: a.doubleValue + b.doubleValue)
  }

  public static func - (a: Ratio, b: Ratio) -> Ratio { a + (-b) }

  public static prefix func - (a: Ratio) -> Ratio { Ratio(-a.num, over: a.den) ?? Ratio(0) }

  public static func * (a: Ratio, b: Ratio) -> Ratio {
    let first = Int64(greatestCommonDivisor(a.num.magnitude, b.den.magnitude))
    let second = Int64(greatestCommonDivisor(b.num.magnitude, a.den.magnitude))
    let (num, o1) = (a.num / first).multipliedReportingOverflow(by: b.num / second)
    let (den, o2) = (a.den / second).multipliedReportingOverflow(by: b.den / first)
    if !o1, !o2, let exact = Ratio(num, over: den) { return exact }
    return Ratio(approximating: a.doubleValue * b.doubleValue)
  }

  /// The quotient; zero where `b` is zero.
  public static func / (a: Ratio, b: Ratio) -> Ratio {
    guard let inverse = b.inverted else { return Ratio(0) }
    return a * inverse
  }
}

extension Ratio: CustomStringConvertible {
  public var description: String { den == 1 ? "\(num)" : "\(num)/\(den)" }
}

extension Ratio: Codable {
  private enum CodingKeys: String, CodingKey { case num, den }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let num = try container.decode(Int64.self, forKey: .num)
    let den = try container.decode(Int64.self, forKey: .den)
    guard let value = Ratio(num, over: den) else {
      throw DecodingError.dataCorruptedError(
        forKey: .den, in: container, debugDescription: "den is \(den); it must not be 0")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(num, forKey: .num)
    try container.encode(den, forKey: .den)
  }
}
