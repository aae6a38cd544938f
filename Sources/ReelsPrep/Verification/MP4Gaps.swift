/// Finds text in `mdat` that no sample refers to: what an editor cut off, or somebody hid.
enum MP4Gaps {
  /// As much as is looked into, in bytes.
  private static let maximumBytes: Int64 = 16 << 20

  /// - Returns: nothing where a track's samples are not known, which may be what lies there.
  static func items(
    _ file: MP4File, _ bytes: borrowing FileBytes
  ) throws(Malformed) -> [MP4Metadata.Item] {
    var samples: [MP4Sample] = []
    for track in file.movie.tracks {
      guard let found = track.table.samples else { return [] }
      samples += found
    }
    samples.sort { $0.offset < $1.offset }
    var left = maximumBytes
    var index = 0
    for box in file.topLevel where box.type == "mdat" {
      let end = box.offset + box.size
      // Its header: 8 bytes, or 16 where its size takes 64 bits.
      let isWide = try bytes.read(at: box.offset, count: 4).elementsEqual([0, 0, 0, 1])
      var position = box.offset + (isWide ? 16 : 8)
      while position < end, left > 0 {
        while index < samples.count, samples[index].offset + samples[index].size <= position {
          index += 1
        }
        let next = index < samples.count ? min(samples[index].offset, end) : end
        if next > position {
          let count = min(next - position, left, 1 << 20)
          left -= count
          if let text = text(try bytes.read(at: position, count: Int(count))) {
            return [
              MP4Metadata.Item(name: "unused data with text: \(text)", location: "byte \(position)")
            ]
          }
          position += count
        } else {
          position = samples[index].offset + samples[index].size
        }
      }
    }
    return []
  }

  /// The fewest characters in a row that coded pictures do not hold by chance: once in 300 million bytes.
  private static let shortestText = 16

  private static func isOfText(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: " +-./:,_@".utf8.contains(byte)
    }
  }

  private static func text(_ bytes: [UInt8]) -> String? {
    var start = 0
    for index in 0...bytes.count where index == bytes.count || !isOfText(bytes[index]) {
      if index - start >= shortestText {
        return String(decoding: bytes[start..<index].prefix(40), as: UTF8.self)
      }
      start = index + 1
    }
    return nil
  }
}
