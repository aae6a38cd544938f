/// An MP4 or QuickTime file as its boxes describe it (ISO/IEC 14496-12).
///
/// Read by a walk of its own: nothing here is shared with what writes files.
struct MP4File: Sendable {
  /// A box at the top of the file.
  struct TopLevelBox: Hashable, Sendable {
    let type: FourCC
    let offset: Int64
    /// Header included.
    let size: Int64

    var location: String { "\(type) at byte \(offset)" }
  }

  /// The largest movie box that is read, in bytes: an hour of video needs about 3 MB.
  static let maximumMovieSize: Int64 = 64 << 20
  /// The most boxes that are read at the top: a fragment for every frame of an hour.
  static let maximumTopLevelBoxes = 500_000

  /// The file's size in bytes.
  let byteCount: Int64
  /// In the order of the file.
  let topLevel: [TopLevelBox]
  /// The last box, where it claims more bytes than the file has left.
  let cut: (box: TopLevelBox, claimed: Int64)?
  /// nil where there is no `ftyp`, as in old QuickTime files.
  let majorBrand: FourCC?
  let compatibleBrands: [FourCC]
  let movie: MP4Movie
  /// `meta`, `udta`, `uuid` and foreign boxes beside the movie box.
  let metadata: [MP4Metadata.Item]
  /// What is no box, or one too many.
  let faults: [MP4Fault]

  /// Reads everything but the samples.
  ///
  /// - Throws: `Malformed` where there is no movie box, or a box contradicts the format.
  init(reading bytes: borrowing FileBytes) throws(Malformed) {
    let (topLevel, cut, trailing) = try Self.walk(bytes)
    self.cut = cut
    guard let moov = topLevel.first(where: { $0.type == "moov" }) else {
      throw Malformed("has no moov box: it is no MP4, or it was cut short")
    }
    self.byteCount = bytes.count
    self.topLevel = topLevel
    self.movie = try MP4Movie(box: try Self.load(moov, from: bytes))

    var brands: [FourCC] = []
    if let ftyp = topLevel.first(where: { $0.type == "ftyp" }) {
      var reader = try Self.load(ftyp, from: bytes, atMost: 4096).reader
      while reader.remaining >= 4 { brands.append(FourCC(rawValue: try reader.u32())) }
    }
    self.majorBrand = brands.first
    // After the major brand comes the minor version.
    self.compatibleBrands = Array(brands.dropFirst(2))

    var metadata: [MP4Metadata.Item] = []
    for box in topLevel.prefix(1000) where ["meta", "udta", "uuid"].contains(box.type) {
      guard box.size <= 1 << 20 else {
        metadata.append(MP4Metadata.Item(name: "\(box.type)", location: box.location))
        continue
      }
      metadata += MP4Metadata.items(of: try Self.load(box, from: bytes))
    }
    let foreign = try MP4Foreign.items(ofFile: topLevel, bytes)
    self.metadata = metadata + foreign.items
    var faults = foreign.faults
    for type: FourCC in ["moov", "ftyp"] {
      if let second = topLevel.lazy.filter({ $0.type == type }).dropFirst().first {
        faults.append(MP4Fault(found: "a second \(type)", location: second.location))
      }
    }
    if let trailing {
      faults.append(
        MP4Fault(
          found: "\(bytes.count - trailing) bytes after the last box", location: "byte \(trailing)")
      )
    }
    self.faults = faults
  }

  func first(_ type: FourCC) -> TopLevelBox? { topLevel.first { $0.type == type } }

  /// A file that ends inside its samples is read as far as it goes, and what follows the last box of one
  /// that is whole is told and left out.
  private static func walk(
    _ bytes: borrowing FileBytes
  ) throws(Malformed) -> ([TopLevelBox], cut: (TopLevelBox, Int64)?, trailing: Int64?) {
    var boxes: [TopLevelBox] = []
    var offset: Int64 = 0
    while bytes.count - offset >= 8 {
      let available = bytes.count - offset
      let header = try bytes.read(at: offset, count: Int(min(available, 16)))
      var reader = ByteReader(header[...], place: "the box at byte \(offset)")
      let shortSize = try reader.u32()
      let type = FourCC(rawValue: try reader.u32())
      let size: Int64
      let headerSize: Int64
      switch shortSize {
      case 0: (size, headerSize) = (available, 8)
      case 1: (size, headerSize) = (Int64(clamping: try reader.u64()), 16)
      default: (size, headerSize) = (Int64(shortSize), 8)
      }
      guard size >= headerSize, size <= available else {
        if type == "mdat", size >= headerSize, boxes.contains(where: { $0.type == "moov" }) {
          boxes.append(TopLevelBox(type: type, offset: offset, size: available))
          return (boxes, (boxes[boxes.count - 1], size), nil)
        }
        let types = boxes.map(\.type)
        if types.contains("moov"), types.contains("mdat") { return (boxes, nil, offset) }
        if boxes.isEmpty { throw Malformed("is no MP4: it does not start with a box") }
        throw Malformed(
          "\(type) at byte \(offset) claims \(size) bytes where \(available) are left")
      }
      guard boxes.count < maximumTopLevelBoxes else {
        throw Malformed("has more than \(maximumTopLevelBoxes) boxes")
      }
      boxes.append(TopLevelBox(type: type, offset: offset, size: size))
      offset += size
    }
    // Fewer than 8 bytes at the end hold no box.
    return (boxes, nil, offset < bytes.count ? offset : nil)
  }

  private static func load(
    _ box: TopLevelBox, from bytes: borrowing FileBytes, atMost limit: Int64 = maximumMovieSize
  ) throws(Malformed) -> MP4Box {
    guard box.size <= limit else {
      throw Malformed("\(box.location) has \(box.size) bytes; at most \(limit) are read")
    }
    let data = try bytes.read(at: box.offset, count: Int(box.size))
    var reader = ByteReader(data[...], place: box.location)
    let headerSize: Int64 = try reader.u32() == 1 ? 16 : 8
    try reader.skip(Int(headerSize) - 4)
    return MP4Box(
      type: box.type, offset: box.offset, headerSize: headerSize, payload: Array(reader.rest))
  }
}
