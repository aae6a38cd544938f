internal import ReelsFFmpeg
internal import ReelsModel

extension StillSource {
  /// PNG, third edition, 5.2.
  private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// What a picture needs to be decoded. Text is left out: it may be packed a thousandfold.
  private static let decodedChunks: Set<String> = ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]

  /// A packed profile of more bytes is left out: unpacked it could have a thousand times as many.
  static let packedProfileBytes = 256 << 10

  /// - Throws: `Malformed` where it is no PNG, or its header is not there.
  static func png(_ bytes: [UInt8]) throws(Malformed) -> StillSource {
    var reader = ByteReader(bytes[...], place: "the PNG")
    guard Array(try reader.take(8)) == pngSignature else { throw Malformed("no PNG") }
    var header = ByteReader(bytes[16...], place: "IHDR")
    var source = StillSource(
      codec: .png,
      size: PixelSize(width: Int(try header.u32()), height: Int(try header.u32())))
    // A depth of 16 bits tells whether light could have been stored as it is.
    let depth = try header.u8()
    var (kept, bare) = (pngSignature, pngSignature)
    var (hasProfile, saysSRGB, isWhole) = (false, false, false)
    while !isWhole, let length = try? reader.u32(), let name = try? reader.take(4),
      let content = try? reader.take(Int(length)), let check = try? reader.u32()
    {
      let kind = String(decoding: name, as: UTF8.self)
      let chunk = bytes[(name.startIndex - 4)..<(content.endIndex + 4)]
      if decodedChunks.contains(kind) {
        if CRC32.of(bytes[name.startIndex..<content.endIndex]) != check {
          source.fault = "is damaged (its \(kind) chunk does not match its checksum)"
          break
        }
        kept += chunk
        bare += chunk
        isWhole = kind == "IEND"
      }
      switch kind {
      case "iCCP" where content.count > packedProfileBytes: source.hasHugeProfile = true
      case "iCCP":
        hasProfile = true
        kept += chunk
      case "sRGB": saysSRGB = true
      case "acTL":
        var fields = ByteReader(content, place: kind)
        source.isAnimated = (try? fields.u32()) ?? 0 > 1
      case "eXIf": source.orientation = ExifOrientation.read(content)
      case "tEXt":
        if let exif = writtenOut(content) { source.orientation = ExifOrientation.read(exif[...]) }
      case "gAMA":
        source.gamma = numbers(content, 1, kind).first.map { usable($0, depth: depth) } ?? nil
      case "cHRM":
        let numbers = numbers(content, 8, kind)
        source.chromaticities = numbers.count == 8 ? numbers : nil
      default: break
      }
    }
    if !isWhole, source.fault == nil { source.fault = "is cut short" }
    if saysSRGB { (source.gamma, source.chromaticities) = (nil, nil) }
    source.bytes = kept
    source.bytesWithoutProfile = hasProfile ? bare : nil
    return source
  }

  /// EXIF data as text, which ImageMagick writes: a keyword, a name, a length, then digits.
  private static func writtenOut(_ content: ArraySlice<UInt8>) -> [UInt8]? {
    let keyword = Array("Raw profile type exif\0".utf8)
    guard content.starts(with: keyword) else { return nil }
    let text = String(decoding: content.dropFirst(keyword.count), as: UTF8.self)
    let digits = text.split(whereSeparator: \.isWhitespace).dropFirst(2).joined()
    return digits.chunked(by: 2).compactMap { UInt8($0, radix: 16) }
  }

  /// In units of 1/100,000 (PNG, third edition, 11.3.2).
  private static func numbers(_ content: ArraySlice<UInt8>, _ count: Int, _ place: String)
    -> [Double]
  {
    var fields = ByteReader(content, place: place)
    return (0..<count).compactMap { _ in try? fields.u32() }.map { Double($0) / 100_000 }
  }

  /// Tools wrote a gamma of 1 for "not known" into pictures of 8 bits, which would band if it were
  /// so.
  private static func usable(_ gamma: Double, depth: UInt8) -> Double? {
    gamma > 0.9 && depth < 16 ? nil : gamma
  }
}

extension String {
  fileprivate func chunked(by count: Int) -> [Substring] {
    var (rest, chunks) = (self[...], [Substring]())
    while !rest.isEmpty {
      chunks.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return chunks
  }
}

/// The checksum of PNG's chunks (ISO/IEC 13239; PNG, third edition, Annex D).
private enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
    }
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
  }
}
