#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A path as the bytes that the file system holds: any byte but NUL, not only valid UTF-8.
///
/// In JSON a path is a string where it is valid UTF-8, and `{"base64": …}` where it is not.
public struct FilePath: Hashable, Sendable {
  public let bytes: [UInt8]

  public init(bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes.prefix { $0 != 0 })
  }

  public init(_ string: String) { self.init(bytes: string.utf8) }

  /// The path for people: invalid UTF-8 replaced. Never open a file by it.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The path with a terminating NUL, for the C library.
  public var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// The part after the last slash; trailing slashes do not count.
  public var lastComponent: FilePath {
    let trimmed = Self.trimmed(bytes)
    guard let slash = trimmed.lastIndex(of: Self.slash), trimmed.count > 1 else {
      return FilePath(bytes: trimmed)
    }
    return FilePath(bytes: trimmed[(slash + 1)...])
  }

  /// Everything before the last component; "." where there is nothing.
  public var parent: FilePath {
    let trimmed = Self.trimmed(bytes)
    guard let slash = trimmed.lastIndex(of: Self.slash) else { return FilePath(".") }
    return slash == 0 ? FilePath("/") : FilePath(bytes: Self.trimmed(Array(trimmed[..<slash])))
  }

  /// The last component without its extension; `.hidden` has none.
  public var stem: FilePath {
    let name = lastComponent.bytes
    guard let dot = name.lastIndex(of: Self.dot), dot > 0 else { return FilePath(bytes: name) }
    return FilePath(bytes: name[..<dot])
  }

  /// The extension without its dot, lower-cased; empty where there is none.
  public var pathExtension: String {
    let name = lastComponent.bytes
    guard let dot = name.lastIndex(of: Self.dot), dot > 0 else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  public var isHidden: Bool {
    let name = lastComponent.bytes
    return name.first == Self.dot && name != [Self.dot] && name != [Self.dot, Self.dot]
  }

  public var isAbsolute: Bool { bytes.first == Self.slash }

  /// The path of `component` inside this directory; an empty path is the current directory.
  public func appending(_ component: FilePath) -> FilePath {
    let joint = bytes.isEmpty || bytes.last == Self.slash ? [] : [Self.slash]
    return FilePath(bytes: bytes + joint + component.bytes)
  }

  public func appending(_ component: String) -> FilePath { appending(FilePath(component)) }

  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    var end = bytes.count
    while end > 1, bytes[end - 1] == slash { end -= 1 }
    return Array(bytes[..<end])
  }
}

extension FilePath: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self.init(value) }
}

extension FilePath: CustomStringConvertible {
  /// The path for people on one line: control characters are shown as `?`.
  public var description: String { string.singleLine }
}

extension String {
  /// The text with every control character replaced by `?`, safe to print on a terminal.
  public var singleLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .format
            || scalar.properties.generalCategory == .lineSeparator
            || scalar.properties.generalCategory == .paragraphSeparator ? "?" : scalar
        }))
  }
}

extension FilePath: Codable {
  private enum CodingKeys: String, CodingKey { case base64 }

  public init(from decoder: any Decoder) throws {
    if let string = try? decoder.singleValueContainer().decode(String.self) {
      self.init(string)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(bytes: try container.decode(Data.self, forKey: .base64))
  }

  public func encode(to encoder: any Encoder) throws {
    if let string = String(validating: bytes, as: UTF8.self) {
      var container = encoder.singleValueContainer()
      try container.encode(string)
    } else {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(Data(bytes), forKey: .base64)
    }
  }
}
