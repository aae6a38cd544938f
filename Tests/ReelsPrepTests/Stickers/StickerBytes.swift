/// Pictures and their parts, written byte by byte for tests.
enum StickerBytes {
  static func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  // MARK: PNG

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    var crc: UInt32 = ~0
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
    return big(content.count) + body + big(Int(~crc))
  }

  /// A zlib stream of stored blocks.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var (result, at): ([UInt8], Int) = ([0x78, 0x01], 0)
    repeat {
      let part = bytes[at..<min(at + 65_535, bytes.count)]
      at = part.endIndex
      result.append(at == bytes.count ? 1 : 0)
      result += little(part.count, 2) + little(~part.count & 0xFFFF, 2) + part
    } while at < bytes.count
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return result + big(b << 16 | a)
  }

  /// - Parameters:
  ///   - kind: PNG's colour type: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
  ///   - before: chunks between the header and the picture.
  static func png(
    _ width: Int, _ height: Int, depth: Int = 8, kind: UInt8 = 2, before: [UInt8] = [],
    pixel: (_ x: Int, _ y: Int) -> [UInt8]
  ) -> [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width { rows += pixel(x, y) }
    }
    let header = big(width) + big(height) + [UInt8(depth), kind, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + before
      + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  static func iCCP(_ profile: [UInt8]) -> [UInt8] {
    chunk("iCCP", Array("p".utf8) + [0, 0] + stored(profile))
  }

  // MARK: EXIF

  static func exif(_ orientation: Int) -> [UInt8] {
    Array("MM".utf8) + big(42, 2) + big(8) + big(1, 2) + big(0x0112, 2) + big(3, 2) + big(1)
      + big(orientation, 2) + big(0, 2) + big(0)
  }

  // MARK: ICC

  private static func fixed(_ value: Double) -> [UInt8] {
    big(Int((value * 65_536).rounded()) & 0xFFFF_FFFF)
  }

  private static func profile(_ space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
    var (table, data): ([UInt8], [UInt8]) = ([], [])
    let start = 132 + 12 * tags.count
    for (name, content) in tags {
      table += Array(name.utf8) + big(start + data.count) + big(content.count)
      data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    var header = big(start + data.count) + big(0) + big(0x0240_0000)
    header += Array("mntr\(space)XYZ ".utf8)
    header += big(2020, 2) + big(1, 2) + big(1, 2) + [UInt8](repeating: 0, count: 6)
    header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += fixed(0.9642) + fixed(1) + fixed(0.8249)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + big(tags.count) + table + data
  }

  private static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + big(0) + values.flatMap(fixed)
  }

  private static let white = ("wtpt", xyz([0.9642, 1, 0.8249]))

  /// Display P3: its primaries brought to D50, and sRGB's curve.
  static let displayP3: [UInt8] = {
    let curve =
      Array("para".utf8) + big(0) + big(3, 2) + big(0, 2)
      + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
    return profile(
      "RGB ",
      [
        white, ("rXYZ", xyz([0.51512, 0.2412, -0.00105])),
        ("gXYZ", xyz([0.29198, 0.69225, 0.04189])), ("bXYZ", xyz([0.1571, 0.06657, 0.78407])),
        ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
      ])
  }()

  /// Grey with a gamma of 1.8.
  static let gray18 = profile(
    "GRAY", [white, ("kTRC", Array("curv".utf8) + big(0) + big(1) + big(0x01CD, 2) + big(0, 2))])

  // MARK: JPEG

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + big(content.count + 2, 2) + content
  }

  /// A JPEG of 8 × 8 pixels and four components, each of one value, with Adobe's mark.
  ///
  /// - Parameter names: the components' identifiers.
  static func fourComponents(
    _ values: [Int], transform: UInt8, names: [UInt8], profile: [UInt8] = []
  ) -> [UInt8] {
    var bits = ""
    for value in values {
      // Steps of 8 for the DC coefficient, which is 8 times the mean less 128.
      let level = value - 128
      var size = 0
      while abs(level) >> size > 0 { size += 1 }
      let code = level < 0 ? level + (1 << size) - 1 : level
      bits += binary(size, 4) + (size > 0 ? binary(code, size) : "") + "0"
    }
    while bits.count % 8 != 0 { bits += "1" }
    var coded: [UInt8] = []
    var rest = bits[...]
    while !rest.isEmpty {
      let byte = UInt8(rest.prefix(8), radix: 2) ?? 0
      coded += byte == 0xFF ? [0xFF, 0] : [byte]
      rest = rest.dropFirst(8)
    }
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
    if !profile.isEmpty {
      bytes += segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile)
    }
    bytes += segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
    bytes += segment(0xC0, [8, 0, 8, 0, 8, 4] + names.flatMap { [$0, 0x11, 0] })
    // Twelve codes of four bits for the sizes 0 to 11, and one of one bit for the end of a block.
    bytes += segment(
      0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + Array(0..<12))
    bytes += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    bytes += segment(0xDA, [4] + names.flatMap { [$0, 0x00] } + [0, 63, 0])
    return bytes + coded + [0xFF, 0xD9]
  }

  private static func binary(_ value: Int, _ count: Int) -> String {
    let digits = String(value, radix: 2)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  /// With segments behind its start.
  static func inserting(_ segments: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
    Array(jpeg[..<2]) + segments + jpeg[2...]
  }

  // MARK: WebP

  /// The picture of a simple WebP in an extended one, with EXIF data or marked as animated.
  static func extended(
    webp: [UInt8], _ width: Int, _ height: Int, exif: [UInt8] = [], isAnimated: Bool = false
  ) -> [UInt8] {
    let flags: UInt8 = (exif.isEmpty ? 0 : 8) | (isAnimated ? 2 : 0)
    var body = Array("WEBPVP8X".utf8) + little(10, 4) + [flags, 0, 0, 0]
    body += little(width - 1, 3) + little(height - 1, 3) + webp[12...]
    if !exif.isEmpty {
      body += Array("EXIF".utf8) + little(exif.count, 4) + exif
      if exif.count % 2 == 1 { body.append(0) }
    }
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }
}
