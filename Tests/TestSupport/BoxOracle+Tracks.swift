package import ReelsModel

extension BoxOracle {
  /// What the boxes of one track say.
  package struct Track: Sendable {
    /// "vide", "soun" or another handler.
    package let handler: String
    /// Ticks a second.
    package let timescale: UInt32
    /// Of `mdhd`, in ticks.
    package let duration: UInt64
    /// The runs of the decoding time table, in ticks.
    package let deltas: [(count: Int, ticks: UInt32)]
    /// The nine entries of `tkhd`'s matrix.
    package let matrix: [Int32]
    /// The types of the sample descriptions, as in "avc1".
    package let entries: [String]
    /// `colr` of the first sample description: primaries, transfer, matrix and, with `nclx`,
    /// whether the range is full.
    package let color: Color?

    package struct Color: Sendable, Hashable {
      package let primaries: Int
      package let transfer: Int
      package let matrix: Int
      package let isFullRange: Bool?

      package init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool?) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
      }
    }

    /// The sum of all deltas.
    package var length: MediaTime {
      let ticks = deltas.reduce(Int64(0)) { $0 + Int64($1.count) * Int64($1.ticks) }
      return MediaTime(ticks: ticks, timeBase: Ratio(1, Int64(max(timescale, 1))))
    }

    package var isUpright: Bool { matrix == [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] }
  }

  /// The tracks of the movie, in the order of the file.
  package var tracks: [Track] {
    all("moov/trak").map { trak in
      let inside = boxes.filter { trak.body.contains($0.range.lowerBound) }
      func first(_ type: String) -> Box? { inside.first { $0.type == type } }
      let (timescale, duration) = mediaHeader(first("mdhd"))
      return Track(
        handler: inside.first { $0.path == "moov/trak/mdia/hdlr" }
          .map { Self.fourCC(bytes(of: $0), at: 8) } ?? "",
        timescale: timescale, duration: duration, deltas: deltas(first("stts")),
        matrix: matrix(first("tkhd")),
        entries: inside.filter { $0.path == "moov/trak/mdia/minf/stbl/stsd/\($0.type)" }
          .map(\.type),
        color: color(first("colr")))
    }
  }

  private func mediaHeader(_ box: Box?) -> (timescale: UInt32, duration: UInt64) {
    guard let box, let version = word(box, at: 0).map({ $0 >> 24 }) else { return (0, 0) }
    if version == 1 {
      let high = UInt64(word(box, at: 24) ?? 0)
      return (word(box, at: 20) ?? 0, high << 32 | UInt64(word(box, at: 28) ?? 0))
    }
    return (word(box, at: 12) ?? 0, UInt64(word(box, at: 16) ?? 0))
  }

  private func deltas(_ box: Box?) -> [(count: Int, ticks: UInt32)] {
    guard let box, let count = word(box, at: 4) else { return [] }
    let most = (box.body.count - 8) / 8
    return (0..<min(Int(count), most)).map { index in
      (Int(word(box, at: 8 + 8 * index) ?? 0), word(box, at: 12 + 8 * index) ?? 0)
    }
  }

  private func matrix(_ box: Box?) -> [Int32] {
    guard let box, let version = word(box, at: 0).map({ $0 >> 24 }) else { return [] }
    let start = version == 1 ? 52 : 40
    return (0..<9).compactMap { word(box, at: start + 4 * $0).map { Int32(bitPattern: $0) } }
  }

  private func color(_ box: Box?) -> Track.Color? {
    guard let box, let numbers = word(box, at: 4), let rest = word(box, at: 7) else { return nil }
    let type = Self.fourCC(bytes(of: box), at: 0)
    guard type == "nclx" || type == "nclc" else { return nil }
    return Track.Color(
      primaries: Int(numbers >> 16), transfer: Int(numbers & 0xFFFF),
      matrix: Int(rest >> 8 & 0xFFFF), isFullRange: type == "nclx" ? rest & 0x80 != 0 : nil)
  }
}
