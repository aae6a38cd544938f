/// A picture's size, in whole pixels.
public struct PixelSize: Hashable, Sendable, Codable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var area: Int { width * height }

  /// The size after a quarter turn.
  public var turned: PixelSize { PixelSize(width: height, height: width) }

  /// Blocks of 16 × 16 that cover it.
  public var macroblocks: (columns: Int, rows: Int) { ((width + 15) / 16, (height + 15) / 16) }

  /// Even sides of at least 16 pixels.
  public func divided(by divisor: Int) -> PixelSize {
    PixelSize(width: max(16, width / divisor & ~1), height: max(16, height / divisor & ~1))
  }

  /// Reads "1080x1920".
  public init?(parsing text: String) {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
      let width = Int(parts[0]), let height = Int(parts[1]),
      (16...8192).contains(width), (16...8192).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}

extension PixelSize: CustomStringConvertible {
  public var description: String { "\(width)x\(height)" }
}

/// A part of a picture.
public struct PixelRect: Hashable, Sendable, Codable {
  /// Of its upper left corner.
  public var x: Int
  public var y: Int
  public var size: PixelSize

  public init(x: Int, y: Int, size: PixelSize) {
    self.x = x
    self.y = y
    self.size = size
  }
}

/// A place in an upright picture: 0, 0 is the upper left corner, 1, 1 the lower right one.
public struct PicturePoint: Hashable, Sendable, Codable {
  public var x: Double
  public var y: Double

  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  public static let centre = PicturePoint(x: 0.5, y: 0.5)

  /// Reads "0.5,0.3".
  public init?(parsing text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], (0...1).contains(x),
      (0...1).contains(y)
    else { return nil }
    self.init(x: x, y: y)
  }
}

extension PixelRect: CustomStringConvertible {
  public var description: String { "\(size) at \(x),\(y)" }
}

/// How the stored picture has to be turned to be upright: one of the eight orientations.
///
/// The display matrix is: mirror left to right first (where `mirrored`), then turn clockwise.
public struct Orientation: Hashable, Sendable, Codable {
  /// Clockwise quarter turns, 0 to 3.
  public let quarterTurns: Int
  /// Whether left and right are exchanged before the turn.
  public let mirrored: Bool

  public init(quarterTurns: Int, mirrored: Bool) {
    self.quarterTurns = ((quarterTurns % 4) + 4) % 4
    self.mirrored = mirrored
  }

  public static let upright = Orientation(quarterTurns: 0, mirrored: false)

  public var exchangesSides: Bool { quarterTurns % 2 == 1 }

  /// The orientation of a display matrix `[a b; c d]` (ISO/IEC 14496-12, `tkhd`), snapped to the
  /// nearest quarter turn; a matrix with no usable entries is upright.
  ///
  /// A point (x, y) is shown at (a·x + c·y, b·x + d·y).
  public init(a: Double, b: Double, c: Double, d: Double) {
    let determinant = a * d - b * c
    guard determinant.isFinite, determinant != 0 else {
      self = .upright
      return
    }
    let mirrored = determinant < 0
    // Undo the mirror (x -> -x) before reading the turn from the image of the x axis.
    let (x, y) = mirrored ? (-a, -b) : (a, b)
    if abs(x) >= abs(y) {
      self.init(quarterTurns: x > 0 ? 0 : 2, mirrored: mirrored)
    } else {
      self.init(quarterTurns: y > 0 ? 1 : 3, mirrored: mirrored)
    }
  }
}

extension Orientation: CustomStringConvertible {
  public var description: String {
    let turn = quarterTurns == 0 ? "" : "turned \(quarterTurns * 90)° clockwise"
    if mirrored { return turn.isEmpty ? "mirrored" : "mirrored and \(turn)" }
    return turn.isEmpty ? "upright" : turn
  }
}

/// An 8-bit sRGB colour.
public struct RGBColor: Hashable, Sendable, Codable {
  public let red: UInt8
  public let green: UInt8
  public let blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  public static let black = RGBColor(red: 0, green: 0, blue: 0)

  /// Reads "black", "white" or "#1a2B3c" (the hash may be left out).
  public init?(parsing text: String) {
    switch text.lowercased() {
    case "black": self = .black
    case "white": self.init(red: 255, green: 255, blue: 255)
    default:
      let digits = text.hasPrefix("#") ? text.dropFirst() : Substring(text)
      guard digits.count == 6, digits.allSatisfy(\.isHexDigit),
        let value = UInt32(digits, radix: 16)
      else { return nil }
      self.init(
        red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    }
  }

  /// "0x1A2B3C", as libavfilter and the manifest write it.
  public var hexadecimal: String { "0x\(digits)" }

  /// "#1A2B3C", as Meta's pages write it.
  public var hashed: String { "#\(digits)" }

  private var digits: String {
    let value = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }
}
