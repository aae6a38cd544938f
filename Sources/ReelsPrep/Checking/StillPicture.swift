internal import ReelsModel

/// What the head of a PNG or JPEG says.
enum StillPicture {
  case png(PixelSize)
  case jpeg(JPEG)

  struct JPEG {
    var size: PixelSize
    var bits: Int
    var components: Int
    /// Whether there is EXIF or XMP.
    var hasMetadata: Bool
  }

  var size: PixelSize {
    switch self {
    case .png(let size): size
    case .jpeg(let jpeg): jpeg.size
    }
  }

  init?(_ bytes: [UInt8]) {
    if let size = Self.png(bytes) {
      self = .png(size)
    } else if let jpeg = try? Self.jpeg(bytes) {
      self = .jpeg(jpeg)
    } else {
      return nil
    }
  }

  /// The signature, then IHDR first (PNG, third edition, 5.2 and 11.2.1).
  private static func png(_ bytes: [UInt8]) -> PixelSize? {
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    guard bytes.starts(with: head + Array("IHDR".utf8)), bytes.count >= 33 else { return nil }
    var reader = ByteReader(bytes[16...], place: "IHDR")
    guard let width = try? reader.u32(), let height = try? reader.u32() else { return nil }
    return PixelSize(width: Int(width), height: Int(height))
  }

  /// Segments up to the frame header (ITU-T T.81, B.1.1.3 and B.2.2).
  private static func jpeg(_ bytes: [UInt8]) throws(Malformed) -> JPEG? {
    var reader = ByteReader(bytes[...], place: "the JPEG")
    guard try reader.u16() == 0xFFD8 else { return nil }
    var hasMetadata = false
    while true {
      guard try reader.u8() == 0xFF else { return nil }
      var marker = try reader.u8()
      while marker == 0xFF { marker = try reader.u8() }
      let length = Int(try reader.u16())
      guard length >= 2 else { return nil }
      let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
      if isFrame {
        let bits = Int(try reader.u8())
        let height = Int(try reader.u16())
        let width = Int(try reader.u16())
        return JPEG(
          size: PixelSize(width: width, height: height), bits: bits,
          components: Int(try reader.u8()), hasMetadata: hasMetadata)
      }
      // APP1 is EXIF and XMP, APP13 IPTC.
      if marker == 0xE1 || marker == 0xED { hasMetadata = true }
      try reader.skip(length - 2)
    }
  }
}
