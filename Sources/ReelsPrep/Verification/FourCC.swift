/// A four-character code: the type of a box, a brand, a handler.
struct FourCC: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt32
}

extension FourCC: ExpressibleByStringLiteral {
  /// The low byte of each character: "©xyz" is A9 78 79 7A.
  init(stringLiteral value: String) {
    self.init(rawValue: value.unicodeScalars.reduce(0) { $0 << 8 | ($1.value & 0xFF) })
  }
}

extension FourCC {
  /// Whether it is made of letters, digits and signs, as registered types are.
  var isPrintable: Bool {
    [24, 16, 8, 0].allSatisfy { shift in
      let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
      return (0x20..<0x7F).contains(byte) || byte == 0xA9
    }
  }
}

extension FourCC: CustomStringConvertible {
  /// The code as Latin-1 text, with `?` for what cannot be printed.
  var description: String {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
    return String(
      String.UnicodeScalarView(
        bytes.map { byte in
          (0x20..<0x7F).contains(byte) || byte >= 0xA1 ? Unicode.Scalar(byte) : "?"
        }))
  }
}
