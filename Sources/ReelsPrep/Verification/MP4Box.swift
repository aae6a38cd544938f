/// A box inside `moov`, with its place in the file (ISO/IEC 14496-12, 4.2).
struct MP4Box: Sendable {
  let type: FourCC
  /// As in "moov/trak[0]/tkhd".
  let path: String
  /// Where its header starts, in bytes of the file.
  let offset: Int64
  /// What follows the header. Shares the storage of the movie box.
  let payload: ArraySlice<UInt8>
  /// The file's offset of the byte with index 0 in that storage.
  private let base: Int64

  /// More children than any real box has: a walk over hostile bytes ends here.
  static let maximumChildren = 10_000

  /// The outermost box of a buffer.
  init(type: FourCC, offset: Int64, headerSize: Int64, payload: [UInt8]) {
    self.type = type
    self.path = type.description
    self.offset = offset
    self.payload = payload[...]
    self.base = offset + headerSize
  }

  private init(
    type: FourCC, path: String, offset: Int64, payload: ArraySlice<UInt8>, base: Int64
  ) {
    self.type = type
    self.path = path
    self.offset = offset
    self.payload = payload
    self.base = base
  }

  /// As in "moov/trak[0]/tkhd at byte 1234".
  var location: String { "\(path) at byte \(offset)" }

  var reader: ByteReader { ByteReader(payload, place: location) }

  /// The boxes that lie in the payload after its first `prefix` bytes.
  ///
  /// Fewer than 8 bytes at the end are padding, such as the zero that closes a QuickTime `udta`.
  ///
  /// - Throws: `Malformed` where a child does not fit, or there are too many.
  func children(after prefix: Int = 0) throws(Malformed) -> [MP4Box] {
    var found: [MP4Box] = []
    var tracks = 0
    var reader = self.reader
    try reader.skip(prefix)
    while reader.remaining >= 8 {
      let start = reader.rest.startIndex
      let available = reader.remaining
      let shortSize = Int(try reader.u32())
      let type = FourCC(rawValue: try reader.u32())
      let size: Int
      let headerSize: Int
      switch shortSize {
      case 0: (size, headerSize) = (available, 8)
      case 1: (size, headerSize) = (Int(clamping: try reader.u64()), 16)
      default: (size, headerSize) = (shortSize, 8)
      }
      let offset = base + Int64(start)
      guard size >= headerSize, size <= available else {
        throw Malformed(
          "\(path)/\(type) at byte \(offset) claims \(size) bytes where \(available) are left")
      }
      guard found.count < Self.maximumChildren else {
        throw Malformed("\(location) holds more than \(Self.maximumChildren) boxes")
      }
      // `ilst` numbers its children where `keys` names them.
      let isNumbered = self.type == "ilst" && type.rawValue < 1 << 16
      let name =
        type == "trak"
        ? "\(type)[\(tracks)]" : isNumbered ? "[\(type.rawValue)]" : "\(type)"
      tracks += type == "trak" ? 1 : 0
      found.append(
        MP4Box(
          type: type, path: "\(path)/\(name)", offset: offset,
          payload: try reader.take(size - headerSize), base: base))
    }
    return found
  }

  /// The first child of a type.
  ///
  /// - Throws: `Malformed` where there is none, or the children cannot be read.
  func child(_ type: FourCC) throws(Malformed) -> MP4Box {
    guard let box = try children().first(where: { $0.type == type }) else {
      throw Malformed("\(location) has no \(type) box")
    }
    return box
  }
}
