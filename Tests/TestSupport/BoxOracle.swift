package import Foundation

/// The boxes of an MP4 or MOV file (ISO/IEC 14496-12), walked by code that the product has no part
/// in.
package struct BoxOracle: Sendable {
  package struct Box: Sendable, CustomStringConvertible {
    /// Four characters of Latin-1: "©xyz" is four bytes.
    package let type: String
    /// As in "moov/trak/mdia"; two tracks have the same.
    package let path: String
    /// Of the whole box, in the file.
    package let range: Range<Int>
    /// What follows size and type.
    package let body: Range<Int>

    package var description: String { "\(path) at \(range.lowerBound)" }
  }

  package struct Malformed: Error, CustomStringConvertible {
    package let description: String
  }

  /// Every box, each before its children.
  package let boxes: [Box]
  let data: Data

  /// - Throws: `Malformed` where a box does not fit into the one that holds it.
  package init(_ file: URL) throws {
    data = try Data(contentsOf: file, options: .mappedIfSafe)
    var boxes: [Box] = []
    try Self.walk(data, 0..<data.count, path: "", depth: 0, into: &boxes)
    self.boxes = boxes
  }

  /// Whether the file begins as MP4 and MOV files do.
  package static func looksLike(_ file: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    guard let head = try? handle.read(upToCount: 8), head.count == 8 else { return false }
    return ["ftyp", "moov", "mdat", "wide", "free", "skip"].contains(fourCC(head, at: 4))
  }

  package var topLevel: [String] {
    boxes.filter { $0.path == $0.type }.map(\.type)
  }

  /// The paths of all boxes, in the order of the file.
  package var paths: [String] { boxes.map(\.path) }

  package func contains(_ type: String) -> Bool { boxes.contains { $0.type == type } }

  package func all(_ path: String) -> [Box] { boxes.filter { $0.path == path } }

  /// Whether a player that reads from the start knows the tracks before the first sample.
  package var isMoovFirst: Bool {
    guard let moov = topLevel.firstIndex(of: "moov") else { return false }
    return topLevel.firstIndex(of: "mdat").map { moov < $0 } ?? true
  }

  package func bytes(of box: Box) -> Data { data.subdata(in: box.body) }

  /// The unsigned 32-bit number at `offset` of the box's body; nil beyond its end.
  package func word(_ box: Box, at offset: Int) -> UInt32? {
    let start = box.body.lowerBound + offset
    guard offset >= 0, start + 4 <= box.body.upperBound else { return nil }
    return Self.word(data, at: start)
  }

  // MARK: Walking

  /// Containers that hold boxes right after their header.
  private static let plain: Set<String> = [
    "moov", "trak", "edts", "mdia", "minf", "dinf", "stbl", "udta", "mvex", "moof", "traf", "mfra",
    "ilst", "sinf", "schi", "tref", "gmhd", "tapt", "wave",
  ]
  private static let visualEntries: Set<String> = [
    "avc1", "avc3", "hvc1", "hev1", "mp4v", "vp09", "av01", "encv", "apcn", "apch",
  ]
  private static let audioEntries: Set<String> = ["mp4a", "enca", "Opus", "ac-3", "sowt", "twos"]

  private static func walk(
    _ data: Data, _ range: Range<Int>, path: String, depth: Int, into boxes: inout [Box]
  ) throws {
    var offset = range.lowerBound
    // QuickTime ends some lists with four zero bytes.
    while offset + 8 <= range.upperBound {
      let box = try read(data, at: offset, end: range.upperBound, path: path)
      boxes.append(box)
      if depth < 16, let start = children(of: box, in: data) {
        try walk(
          data, start..<box.body.upperBound, path: box.path, depth: depth + 1, into: &boxes)
      }
      offset = box.range.upperBound
    }
  }

  private static func read(_ data: Data, at offset: Int, end: Int, path: String) throws -> Box {
    let type = fourCC(data, at: offset + 4)
    var size = UInt64(word(data, at: offset))
    var header = 8
    if size == 1, offset + 16 <= end {
      size = UInt64(word(data, at: offset + 8)) << 32 | UInt64(word(data, at: offset + 12))
      header = 16
    } else if size == 0 {
      size = UInt64(end - offset)
    }
    guard size >= UInt64(header), size <= UInt64(end - offset) else {
      throw Malformed(
        description: "\(path)/\(type) at \(offset): \(size) bytes where \(end - offset) are left")
    }
    let range = offset..<offset + Int(size)
    return Box(
      type: type, path: path.isEmpty ? type : "\(path)/\(type)", range: range,
      body: range.lowerBound + header..<range.upperBound)
  }

  /// Where the children of a box begin; nil where it has none.
  private static func children(of box: Box, in data: Data) -> Int? {
    let body = box.body
    let parent = box.path.split(separator: "/").dropLast().last.map(String.init)
    var start = body.lowerBound
    switch (box.type, parent) {
    case ("stsd", _), ("dref", _): start += 8
    case ("meta", _):
      // QuickTime's has no version and flags.
      let isQuickTime = body.count >= 8 && fourCC(data, at: start + 4) == "hdlr"
      start += isQuickTime ? 0 : 4
    case (_, "stsd") where visualEntries.contains(box.type): start += 78
    case (_, "stsd") where audioEntries.contains(box.type):
      guard body.count >= 28 else { return nil }
      let version = word(data, at: start + 8) >> 16
      start += version == 1 ? 44 : version == 2 ? 64 : 28
    case (_, "ilst"): break
    default:
      guard plain.contains(box.type) else { return nil }
    }
    return start <= body.upperBound ? start : nil
  }

  static func word(_ data: Data, at offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(data[data.startIndex + offset + $1]) }
  }

  static func fourCC(_ data: Data, at offset: Int) -> String {
    String(
      String.UnicodeScalarView(
        (0..<4).map { Unicode.Scalar(data[data.startIndex + offset + $0]) }))
  }
}
