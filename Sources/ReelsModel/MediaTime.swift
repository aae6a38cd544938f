/// A point in time or a length of time, in exact seconds.
///
/// Encoded in JSON as a number of seconds, rounded to the nanosecond.
public struct MediaTime: Hashable, Sendable {
  /// Seconds, as a fraction.
  public let seconds: Ratio

  public init(seconds: Ratio) { self.seconds = seconds }

  public init(seconds: Int64) { self.seconds = Ratio(seconds) }

  /// `ticks` of `timeBase` seconds each.
  public init(ticks: Int64, timeBase: Ratio) { self.seconds = Ratio(ticks) * timeBase }

  public static let zero = MediaTime(seconds: 0)

  public var doubleValue: Double { seconds.doubleValue }

  /// The count of whole ticks of `timeBase` nearest to this time; halves go up.
  public func ticks(in timeBase: Ratio) -> Int64 { (seconds / timeBase).rounded }

  /// The count of whole ticks of `timeBase` that end no later than this time.
  public func ticksRoundedDown(in timeBase: Ratio) -> Int64 { (seconds / timeBase).floor }
}

extension MediaTime: Comparable {
  public static func < (a: MediaTime, b: MediaTime) -> Bool { a.seconds < b.seconds }
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    MediaTime(seconds: a.seconds + b.seconds)
  }
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    MediaTime(seconds: a.seconds - b.seconds)
  }
  public static func * (a: MediaTime, b: Ratio) -> MediaTime { MediaTime(seconds: a.seconds * b) }
}

extension MediaTime {
  /// Reads `12.5`, `1:02.5` or `00:01:02.500`: seconds, or hours, minutes and seconds.
  ///
  /// - Returns: nil for anything else, a negative time included.
  public init?(parsing text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last else { return nil }
    var total = Ratio(0)
    for (index, part) in parts.dropLast().enumerated() {
      guard !part.isEmpty, part.allSatisfy(\.isASCIIDigit), let value = Int64(part),
        value < 1_000_000, index == 0 || value < 60
      else { return nil }
      total = total * Ratio(60) + Ratio(value)
    }
    guard let seconds = Self.decimal(last), parts.count == 1 || seconds < Ratio(60) else {
      return nil
    }
    self.init(seconds: total * Ratio(60) + seconds)
  }

  private static func decimal(_ text: some StringProtocol) -> Ratio? {
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(halves.count), let first = halves.first,
      !first.isEmpty || (halves.last?.isEmpty == false),
      halves.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }), first.count <= 9
    else { return nil }
    let whole = Int64(first) ?? 0
    guard halves.count == 2, let fraction = halves.last, !fraction.isEmpty else {
      return Ratio(whole)
    }
    let digits = fraction.prefix(9)
    let scale = (0..<digits.count).reduce(Int64(1)) { power, _ in power * 10 }
    return Ratio(whole) + Ratio(Int64(digits) ?? 0, scale)
  }
}

extension Character {
  var isASCIIDigit: Bool { isASCII && isWholeNumber }
}

extension MediaTime: CustomStringConvertible {
  /// Seconds with three decimals, as in "12.500".
  public var description: String { decimals(3) }

  /// Seconds with `places` decimals, 0 to 18, rounded to the nearest.
  public func decimals(_ places: Int) -> String {
    let places = min(max(places, 0), 18)
    let scale = (0..<places).reduce(Int64(1)) { power, _ in power * 10 }
    let units = (seconds * Ratio(scale)).rounded
    guard places > 0 else { return "\(units)" }
    let fraction = String(units.magnitude % UInt64(scale))
    let padding = String(repeating: "0", count: places - fraction.count)
    return "\(units < 0 ? "-" : "")\(units.magnitude / UInt64(scale)).\(padding)\(fraction)"
  }
}

extension MediaTime: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer().decode(Double.self)
    self.init(seconds: Ratio(approximating: value))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let nanoseconds = (seconds * Ratio(1_000_000_000)).rounded
    // A double has 53 bits; beyond, as for a time of day, only the parts apart are exact.
    let isShort = nanoseconds.magnitude < 1 << 53
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    try container.encode(
      isShort ? Double(nanoseconds) / 1e9 : Double(whole) + Double(rest) / 1e9)
  }
}
