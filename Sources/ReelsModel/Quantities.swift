/// A number of bytes.
public struct ByteCount: Hashable, Sendable, Comparable, Codable {
  public let value: Int64

  public init(_ value: Int64) { self.value = value }

  public static func < (a: ByteCount, b: ByteCount) -> Bool { a.value < b.value }
  public static func + (a: ByteCount, b: ByteCount) -> ByteCount { ByteCount(a.value + b.value) }
  public static func - (a: ByteCount, b: ByteCount) -> ByteCount { ByteCount(a.value - b.value) }

  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  /// Reads `50000000`, `50MB`, `1.5 MB`, `800kB` or `47MiB`; kB and MB are powers of 1,000.
  ///
  /// - Returns: nil for anything else, zero and negative sizes included.
  public init?(parsing text: String) {
    let units: [(String, Double)] = [
      ("mib", 1_048_576), ("kib", 1_024), ("gib", 1_073_741_824), ("mb", 1e6), ("kb", 1e3),
      ("gb", 1e9), ("b", 1),
    ]
    let lowered = text.lowercased()
    let unit = units.first { lowered.hasSuffix($0.0) }
    var number = lowered.dropLast(unit?.0.count ?? 0)
    if number.last == " " { number.removeLast() }
    guard number.first?.isASCIIDigit == true, number.allSatisfy({ $0.isASCIIDigit || $0 == "." }),
      let amount = Double(number)
    else { return nil }
    let bytes = (amount * (unit?.1 ?? 1)).rounded(.down)
    guard bytes >= 1, bytes < 1e15 else { return nil }
    self.init(Int64(bytes))
  }
}

extension ByteCount: CustomStringConvertible {
  /// "49.7 MB", "812 kB" or "93 bytes", in powers of 1,000.
  public var description: String {
    switch value {
    case 1_000_000...: "\(MediaTime(ticks: value, timeBase: Ratio(1, 1_000_000)).decimals(1)) MB"
    case 1_000...: "\(value / 1_000) kB"
    default: "\(value) bytes"
    }
  }
}

/// A bit rate, in bits a second.
public struct BitsPerSecond: Hashable, Sendable, Comparable, Codable {
  public let value: Int64

  public init(_ value: Int64) { self.value = value }

  public static func < (a: BitsPerSecond, b: BitsPerSecond) -> Bool { a.value < b.value }

  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension BitsPerSecond: CustomStringConvertible {
  /// "6.31 Mbit/s" or "128 kbit/s".
  public var description: String {
    value >= 1_000_000
      ? "\(MediaTime(ticks: value, timeBase: Ratio(1, 1_000_000)).decimals(2)) Mbit/s"
      : "\(value / 1_000) kbit/s"
  }
}
