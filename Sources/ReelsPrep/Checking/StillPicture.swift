internal import ReelsModel

/// What a PNG or JPEG is, read from its first byte to its last without decoding it.
enum StillPicture {
  case png(PNG)
  case jpeg(JPEG)

  struct PNG {
    var size: PixelSize
    /// As in "tEXt": chunks that tell of a person, or when.
    var metadata: String?
    var isAnimated = false
    /// "cut short", "bytes after its end"; nil where it is whole.
    var fault: String?
  }

  struct JPEG {
    var size: PixelSize
    var bits: Int
    var components: Int
    /// As in "EXIF or XMP": segments that may tell of a person.
    var metadata: String?
    var fault: String?
  }

  var size: PixelSize {
    switch self {
    case .png(let png): png.size
    case .jpeg(let jpeg): jpeg.size
    }
  }

  /// As IANA registers it.
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    }
  }

  var metadata: String? {
    switch self {
    case .png(let png): png.metadata
    case .jpeg(let jpeg): jpeg.metadata
    }
  }

  var fault: String? {
    switch self {
    case .png(let png): png.fault
    case .jpeg(let jpeg): jpeg.fault
    }
  }

  init?(_ bytes: [UInt8]) {
    if let png = Self.png(bytes) {
      self = .png(png)
    } else if let jpeg = (try? Self.jpeg(bytes)) ?? nil {
      self = .jpeg(jpeg)
    } else {
      return nil
    }
  }

  private static let (cut, trailing) = ("cut short", "bytes after its end")

  // MARK: PNG

  /// PNG, third edition, 11.3: what is said in words, by a camera, or when.
  private static let tellingChunks: Set<String> = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME"]

  /// The signature, then IHDR first (PNG, third edition, 5.2 and 11.2.1), and chunks to IEND.
  private static func png(_ bytes: [UInt8]) -> PNG? {
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    guard bytes.starts(with: head + Array("IHDR".utf8)), bytes.count >= 33 else { return nil }
    var reader = ByteReader(bytes[16...], place: "IHDR")
    guard let width = try? reader.u32(), let height = try? reader.u32() else { return nil }
    var png = PNG(size: PixelSize(width: Int(width), height: Int(height)))
    reader = ByteReader(bytes[8...], place: "the PNG")
    var hasData = false
    while let length = try? reader.u32(), let name = try? reader.take(4),
      (try? reader.skip(Int(length) + 4)) != nil
    {
      let kind = String(decoding: name, as: UTF8.self)
      if tellingChunks.contains(kind) { png.metadata = kind }
      if kind == "acTL" { png.isAnimated = true }
      if kind == "IDAT" { hasData = true }
      if kind == "IEND" {
        png.fault = !hasData ? "no picture in it" : reader.remaining > 0 ? trailing : nil
        return png
      }
    }
    png.fault = cut
    return png
  }

  // MARK: JPEG

  /// Segments up to the frame header (ITU-T T.81, B.1.1.3 and B.2.2), and on to the end.
  private static func jpeg(_ bytes: [UInt8]) throws(Malformed) -> JPEG? {
    var reader = ByteReader(bytes[...], place: "the JPEG")
    guard try reader.u16() == 0xFFD8 else { return nil }
    var metadata: String?
    var jpeg: JPEG?
    while true {
      guard let marker = nextMarker(&reader) else { break }
      // End of the picture, restarts, and what has no length.
      if marker == 0xD9 {
        jpeg?.fault = reader.remaining > 0 ? trailing : nil
        jpeg?.metadata = metadata
        return jpeg
      }
      if (0xD0...0xD8).contains(marker) || marker <= 0x01 { continue }
      guard let length = try? reader.u16(), length >= 2,
        let segment = try? reader.take(Int(length) - 2)
      else { break }
      metadata = telling(marker, segment) ?? metadata
      let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
      if isFrame, jpeg == nil {
        var fields = ByteReader(segment, place: "the frame header")
        let bits = Int(try fields.u8())
        let (height, width) = (Int(try fields.u16()), Int(try fields.u16()))
        jpeg = JPEG(
          size: PixelSize(width: width, height: height), bits: bits,
          components: Int(try fields.u8()))
      }
    }
    jpeg?.fault = cut
    jpeg?.metadata = metadata
    return jpeg
  }

  /// The next marker, coded data passed over (B.1.1.5: 0xFF in it is followed by a zero).
  private static func nextMarker(_ reader: inout ByteReader) -> UInt8? {
    while let byte = try? reader.u8() {
      guard byte == 0xFF else { continue }
      while let next = try? reader.u8() {
        if next == 0xFF { continue }
        if next == 0 { break }
        return next
      }
    }
    return nil
  }

  /// APP1 is EXIF and XMP, APP13 IPTC; APP2 may hold further pictures (CIPA DC-007).
  private static func telling(_ marker: UInt8, _ segment: ArraySlice<UInt8>) -> String? {
    switch marker {
    case 0xE1: "EXIF or XMP"
    case 0xED: "IPTC"
    case 0xFE: "a comment"
    case 0xE2 where segment.starts(with: Array("MPF".utf8)): "further pictures (MPF)"
    default: nil
    }
  }
}
