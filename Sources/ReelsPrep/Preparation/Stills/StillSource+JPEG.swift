internal import ReelsFFmpeg
internal import ReelsModel

extension StillSource {
  /// Segments to the end of the picture (ITU-T T.81, B.1.1.3 and B.2); what follows is of others,
  /// as the video of a motion photo is.
  ///
  /// - Throws: `Malformed` where it is no JPEG, or has no frame header.
  static func jpeg(_ bytes: [UInt8]) throws(Malformed) -> StillSource {
    guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { throw Malformed("no JPEG") }
    var source: StillSource?
    var (kept, bare): ([UInt8], [UInt8]) = ([0xFF, 0xD8], [0xFF, 0xD8])
    var (orientation, adobe, components) = (Orientation.upright, UInt8?.none, 0)
    var (at, profileBytes, isWhole) = (2, 0, false)
    while !isWhole, let marker = marker(in: bytes, from: &at) {
      // `at` is just past the marker; what was coded before it is passed on with it.
      if marker == 0xD9 {
        isWhole = true
        break
      }
      if (0xD0...0xD8).contains(marker) || marker == 0x01 { continue }
      guard at + 2 <= bytes.count else { break }
      let end = at + (Int(bytes[at]) << 8 | Int(bytes[at + 1]))
      guard end >= at + 2, end <= bytes.count else { break }
      let content = bytes[(at + 2)..<end]
      let segment = bytes[(at - 2)..<end]
      at = end
      switch marker {
      case 0xE1:
        if content.starts(with: "Exif".utf8) { orientation = ExifOrientation.read(content) }
        continue
      case 0xE2 where content.starts(with: "ICC_PROFILE\0".utf8):
        profileBytes += content.count
        kept += segment
        continue
      case 0xEE:
        // Adobe's: version, two flags, then the transform (Adobe Technical Note 5116).
        if content.starts(with: "Adobe".utf8), content.count >= 12 {
          adobe = content[content.startIndex + 11]
        }
        kept += segment
        bare += segment
        continue
      case 0xE3...0xEF, 0xE2, 0xFE: continue
      default: break
      }
      let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
      if isFrame, source == nil {
        var fields = ByteReader(content, place: "the frame header")
        try fields.skip(1)
        let (height, width) = (Int(try fields.u16()), Int(try fields.u16()))
        components = Int(try fields.u8())
        source = StillSource(codec: .jpeg, size: PixelSize(width: width, height: height))
      }
      var coded = segment
      if marker == 0xDA {
        at = codedEnd(in: bytes, from: at)
        coded = bytes[segment.startIndex..<at]
      }
      kept += coded
      bare += coded
    }
    guard var source else { throw Malformed("a JPEG without a frame header") }
    source.orientation = orientation
    source.fault = isWhole ? nil : "is cut short"
    if components == 4 {
      // Photoshop's are the other way round than print's, and its mark is on all that are met.
      source.inks = adobe == 2 ? .ycck : .cmyk
      (kept, bare) = (plain(kept), plain(bare))
    }
    if profileBytes > ColorProfile.maximumBytes {
      source.hasHugeProfile = true
      kept = bare
      profileBytes = 0
    }
    source.bytes = kept + [0xFF, 0xD9]
    source.bytesWithoutProfile = profileBytes > 0 ? bare + [0xFF, 0xD9] : nil
    return source
  }

  /// The next marker's code; nil at the end.
  private static func marker(in bytes: [UInt8], from at: inout Int) -> UInt8? {
    while at + 1 < bytes.count {
      if bytes[at] == 0xFF, bytes[at + 1] != 0, bytes[at + 1] != 0xFF {
        at += 2
        return bytes[at - 1]
      }
      at += 1
    }
    return nil
  }

  /// Where a scan's data ends: at the next marker that is no restart.
  private static func codedEnd(in bytes: [UInt8], from start: Int) -> Int {
    var at = start
    while at + 1 < bytes.count {
      if bytes[at] == 0xFF, bytes[at + 1] != 0, !(0xD0...0xD7).contains(bytes[at + 1]),
        bytes[at + 1] != 0xFF
      {
        return at
      }
      at += 1
    }
    return bytes.count
  }

  /// Without Adobe's mark, and with numbers instead of the letters CMYK for its components, the
  /// decoder leaves the four as they are, where it would multiply three of them by the fourth and
  /// call that RGB.
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var result = Array(bytes[..<2])
    var numbers: [UInt8: UInt8] = [:]
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      let end = at + 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
      guard end <= bytes.count else { break }
      var segment = Array(bytes[at..<end])
      // Precision, height, width and a count come before the frame's components of three bytes
      // each, a count alone before the scan's of two.
      let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
      if isFrame {
        for (index, place) in stride(from: 10, to: segment.count - 2, by: 3).enumerated() {
          numbers[segment[place]] = UInt8(truncatingIfNeeded: index + 1)
          segment[place] = UInt8(truncatingIfNeeded: index + 1)
        }
      } else if marker == 0xDA, segment.count > 4 {
        let last = min(5 + Int(segment[4]) * 2, segment.count)
        for place in stride(from: 5, to: last, by: 2) {
          segment[place] = numbers[segment[place]] ?? segment[place]
        }
      }
      if marker != 0xEE { result += segment }
      at = end
      if marker == 0xDA {
        let next = codedEnd(in: bytes, from: at)
        result += bytes[at..<next]
        at = next
      }
    }
    return result + bytes[at...]
  }
}
