internal import ReelsModel

/// Counts the parts of an MP4's edit lists before libav opens it: FFmpeg 5.1 takes a minute for 3,000 parts
/// of a track of 300 frames, and asks nobody meanwhile.
struct EditListCheck {
  let input: FilePath

  /// Cameras and editors write one to three, or one for each cut that was trimmed without encoding.
  static let most = 64
  /// A file of fragments has a box at the top for every few frames.
  private static let maximumBoxes = 1_000_000
  /// moov, trak, mdia, minf, and two more.
  private static let maximumDepth = 6

  /// - Returns: how many the longest has; a file that is no MP4, or a broken one, has none.
  /// - Throws: `PrepError` where there are too many.
  @discardableResult
  func check() throws(PrepError) -> Int {
    guard let count = try? longest() else { return 0 }
    guard count > Self.most else { return count }
    if count == .max {
      throw PrepError(
        code: .tooLarge,
        sentence:
          "\(input.lastComponent) has more than \(Self.maximumBoxes) boxes, which no video has; export "
          + "it again", blame: .input)
    }
    throw PrepError(
      code: .tooLarge,
      sentence:
        "\(input.lastComponent) has an edit list of \(count) parts, more than the \(Self.most) "
        + "that are followed; export it again", blame: .input)
  }

  private func longest() throws(Malformed) -> Int {
    let bytes = try FileBytes.open(input)
    var left = Self.maximumBoxes
    return try longest(bytes, from: 0, to: bytes.count, depth: 0, left: &left)
  }

  private func longest(
    _ bytes: borrowing FileBytes, from: Int64, to end: Int64, depth: Int, left: inout Int
  ) throws(Malformed) -> Int {
    var longest = 0
    var offset = from
    while end - offset >= 8, depth < Self.maximumDepth {
      left -= 1
      // No file has so many boxes but to hide something behind them.
      guard left > 0 else { return .max }
      let head = try bytes.read(at: offset, count: Int(min(16, end - offset)))
      var reader = ByteReader(head[...], place: "box")
      var size = Int64(try reader.u32())
      let type = FourCC(rawValue: try reader.u32())
      var headerSize: Int64 = 8
      if size == 1 {
        size = Int64(clamping: try reader.u64())
        headerSize = 16
      } else if size == 0 {
        size = end - offset
      }
      guard size >= headerSize else { break }
      // Where a box is cut off, libav reads what there is.
      let boxEnd = offset + min(size, end - offset)
      switch type {
      case "moov", "trak", "mdia", "minf", "edts":
        longest = max(
          longest,
          try self.longest(
            bytes, from: offset + headerSize, to: boxEnd, depth: depth + 1, left: &left))
      case "elst":
        let entries = try bytes.read(at: offset + headerSize, count: 8)
        var reader = ByteReader(entries[...], place: "elst")
        let version = try reader.u32() >> 24
        let stated = Int(try reader.u32())
        let room = (boxEnd - offset - headerSize - 8) / (version == 1 ? 20 : 12)
        longest = max(longest, min(stated, Int(room)))
      default: break
      }
      offset = boxEnd
    }
    return longest
  }
}
