/// Changes boxes of an MP4 in memory, keeping sizes and chunk offsets right.
///
/// Its walk is the tests' own and trusts its input.
struct VerificationPatcher {
  private(set) var bytes: [UInt8]

  struct NoSuchBox: Error { let path: String }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A copy of the compliant clip.
  static func compliant() throws -> VerificationPatcher {
    VerificationPatcher(try VerificationClip.compliant.get())
  }

  /// How many bytes stand between a box's start and its first child.
  private static let childOffsets = ["stsd": 16, "avc1": 86, "mp4a": 36, "meta": 12]

  /// The boxes from the outermost to the one at `path`, as in "moov/trak[1]/mdia/mdhd".
  private func chain(_ path: String) throws -> [Range<Int>] {
    var chain: [Range<Int>] = []
    var (start, end) = (0, bytes.count)
    for part in path.split(separator: "/") {
      let pieces = part.split { $0 == "[" || $0 == "]" }
      let type = Array(pieces[0].unicodeScalars.map { UInt8($0.value) })
      var skip = pieces.count > 1 ? Int(pieces[1]) ?? 0 : 0
      var found: Range<Int>?
      while start + 8 <= end {
        let size = number(at: start)
        if Array(bytes[start + 4..<start + 8]) == type {
          if skip == 0 {
            found = start..<start + size
            break
          }
          skip -= 1
        }
        start += size
      }
      guard let found else { throw NoSuchBox(path: path) }
      chain.append(found)
      (start, end) = (
        found.lowerBound + (Self.childOffsets[String(pieces[0])] ?? 8), found.upperBound
      )
    }
    return chain
  }

  /// The whole box, header included.
  func range(_ path: String) throws -> Range<Int> {
    guard let range = try chain(path).last else { throw NoSuchBox(path: path) }
    return range
  }

  func number(at index: Int) -> Int {
    bytes[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The 32-bit number `offset` bytes into a box, the header counted.
  func number(_ path: String, at offset: Int) throws -> Int {
    number(at: try range(path).lowerBound + offset)
  }

  /// Writes over bytes, `offset` counted from the start of the box's header.
  mutating func overwrite(_ path: String, at offset: Int, with new: [UInt8]) throws {
    let start = try range(path).lowerBound + offset
    bytes.replaceSubrange(start..<start + new.count, with: new)
  }

  mutating func overwrite(_ path: String, at offset: Int, with number: Int) throws {
    try overwrite(path, at: offset, with: Self.big(number))
  }

  /// Puts another box in the place of one, or removes it.
  mutating func replace(_ path: String, with box: [UInt8]) throws {
    let chain = try chain(path)
    guard let range = chain.last else { throw NoSuchBox(path: path) }
    try resize(chain.dropLast(), by: box.count - range.count) {
      $0.replaceSubrange(range, with: box)
    }
  }

  /// Adds a box after the last child of another.
  mutating func append(_ box: [UInt8], to path: String) throws {
    let chain = try chain(path)
    guard let end = chain.last?.upperBound else { throw NoSuchBox(path: path) }
    try resize(chain[...], by: box.count) { $0.insert(contentsOf: box, at: end) }
  }

  /// Adds a box at the end of the file.
  mutating func append(_ box: [UInt8]) { bytes += box }

  private mutating func resize(
    _ parents: ArraySlice<Range<Int>>, by delta: Int, change: (inout [UInt8]) -> Void
  ) throws {
    change(&bytes)
    for parent in parents {
      bytes.replaceSubrange(
        parent.lowerBound..<parent.lowerBound + 4, with: Self.big(parent.count + delta))
    }
    for track in 0..<8 {
      guard let table = try? range("moov/trak[\(track)]/mdia/minf/stbl/stco") else { continue }
      for entry in 0..<number(at: table.lowerBound + 12) {
        let place = table.lowerBound + 16 + entry * 4
        bytes.replaceSubrange(place..<place + 4, with: Self.big(number(at: place) + delta))
      }
    }
  }

  static func big(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// A box with its header.
  static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    big(payload.count + 8) + type.unicodeScalars.map { UInt8($0.value) } + payload
  }
}
