internal import ReelsFFmpeg
internal import ReelsModel

extension StillSource {
  /// RIFF chunks, little-endian (RFC 9649, 2.3 to 2.7).
  ///
  /// - Throws: `Malformed` where it is no WebP, or has no picture.
  static func webp(_ bytes: [UInt8]) throws(Malformed) -> StillSource {
    guard bytes.count >= 20, bytes.starts(with: "RIFF".utf8),
      bytes[8...].starts(with: "WEBP".utf8)
    else { throw Malformed("no WebP") }
    func little(_ at: Int, _ count: Int) -> Int {
      guard at + count <= bytes.count else { return 0 }
      return (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    let end = 8 + little(4, 4)
    var (size, orientation, isAnimated) = (PixelSize?.none, Orientation.upright, false)
    var hasPicture = false
    var profile: Range<Int>?
    var at = 12
    while at + 8 <= min(end, bytes.count) {
      let (kind, length) = (String(decoding: bytes[at..<at + 4], as: UTF8.self), little(at + 4, 4))
      let content = at + 8
      let next = content + length + length % 2
      switch kind {
      case "VP8X":
        isAnimated = little(content, 1) & 2 != 0
        size = PixelSize(
          width: little(content + 4, 3) + 1, height: little(content + 7, 3) + 1)
      case "VP8 ":
        hasPicture = true
        // A start code of three bytes after the frame's tag (RFC 6386, 9.1).
        size =
          size
          ?? PixelSize(
            width: little(content + 6, 2) & 0x3FFF, height: little(content + 8, 2) & 0x3FFF)
      case "VP8L":
        hasPicture = true
        let bits = little(content + 1, 4)
        size = size ?? PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
      case "ANIM", "ANMF": isAnimated = true
      case "EXIF" where next <= bytes.count:
        orientation = ExifOrientation.read(bytes[content..<content + length])
      case "ICCP": profile = at..<min(next, bytes.count)
      default: break
      }
      at = next
    }
    guard let size else { throw Malformed("a WebP without a picture") }
    var source = StillSource(codec: .webp, size: size)
    source.orientation = orientation
    source.isAnimated = isAnimated
    if end > bytes.count || (!hasPicture && !isAnimated) { source.fault = "is cut short" }
    source.bytes = bytes
    if let profile {
      var bare = bytes
      // The chunk keeps its place under a name that is passed over (2.7.1.6).
      for index in 0..<4 { bare[profile.lowerBound + index] = UInt8(ascii: "x") }
      source.bytesWithoutProfile = bare
    }
    return source
  }
}
