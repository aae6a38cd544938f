/// Colour primaries, as the code points of ITU-T H.273 table 2.
public struct ColorPrimaries: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let bt709 = Self(rawValue: 1)
  public static let unspecified = Self(rawValue: 2)
  public static let bt470bg = Self(rawValue: 5)
  public static let smpte170m = Self(rawValue: 6)
  public static let bt2020 = Self(rawValue: 9)
  public static let displayP3 = Self(rawValue: 12)
}

/// Transfer characteristics, as the code points of ITU-T H.273 table 3.
public struct ColorTransfer: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let bt709 = Self(rawValue: 1)
  public static let unspecified = Self(rawValue: 2)
  public static let smpte170m = Self(rawValue: 6)
  public static let linear = Self(rawValue: 8)
  public static let srgb = Self(rawValue: 13)
  public static let bt2020Ten = Self(rawValue: 14)
  public static let bt2020Twelve = Self(rawValue: 15)
  /// SMPTE ST 2084, perceptual quantiser.
  public static let pq = Self(rawValue: 16)
  /// ARIB STD-B67, hybrid log-gamma.
  public static let hlg = Self(rawValue: 18)

  public var isHDR: Bool { self == .pq || self == .hlg }
}

/// Matrix coefficients, as the code points of ITU-T H.273 table 4.
public struct ColorMatrix: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let rgb = Self(rawValue: 0)
  public static let bt709 = Self(rawValue: 1)
  public static let unspecified = Self(rawValue: 2)
  public static let bt470bg = Self(rawValue: 5)
  public static let smpte170m = Self(rawValue: 6)
  public static let fcc = Self(rawValue: 4)
  public static let ycgco = Self(rawValue: 8)
  public static let smpte240m = Self(rawValue: 7)
  public static let bt2020NonConstant = Self(rawValue: 9)
  public static let ictcp = Self(rawValue: 14)
}

/// Whether luma 16–235 or 0–255 is black to white.
public enum ColorRange: String, Hashable, Sendable, Codable {
  case limited, full, unspecified
}

/// What a picture's sample values mean.
public struct ColorDescription: Hashable, Sendable, Codable {
  public var primaries: ColorPrimaries
  public var transfer: ColorTransfer
  public var matrix: ColorMatrix
  public var range: ColorRange

  public init(
    primaries: ColorPrimaries = .unspecified, transfer: ColorTransfer = .unspecified,
    matrix: ColorMatrix = .unspecified, range: ColorRange = .unspecified
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
  }

  /// BT.709, limited range: what Instagram expects and what every output is tagged with.
  public static let bt709 = ColorDescription(
    primaries: .bt709, transfer: .bt709, matrix: .bt709, range: .limited)
}
