/// Reads a binary property list that somebody else wrote. Apple, CFBinaryPList.c, "bplist00".
///
/// Objects may refer to each other in circles, and to one object a million times: depth and the
/// number of values are bounded.
struct BinaryPropertyList {
  static let signature = Array("bplist00".utf8)
  static let depthMaximum = 64
  static let valuesMaximum = 50_000
  static let textBytesMaximum = 16_000_000

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  private var values = 0
  /// Of all texts together: one may be referred to by every value.
  private var textBytes = 0

  /// - Throws: `DocumentError`.
  static func read(_ bytes: [UInt8]) throws(DocumentError) -> PropertyList {
    guard bytes.starts(with: signature), bytes.count >= signature.count + trailerBytes else {
      throw damaged
    }
    let trailer = bytes.count - trailerBytes
    var list = try BinaryPropertyList(bytes, trailer)
    return try list.value(try list.whole(at: trailer + 16, size: 8), depth: 0)
  }

  private init(_ bytes: [UInt8], _ trailer: Int) throws(DocumentError) {
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes[(trailer + 8)..<(trailer + 16)]),
      let table = Self.number(bytes[(trailer + 24)..<(trailer + 32)]),
      table <= trailer, count <= (trailer - table) / offsetSize
    else { throw Self.damaged }
    self.count = count
    self.table = table
  }

  private mutating func value(
    _ index: Int, depth: Int
  ) throws(DocumentError) -> PropertyList {
    values += 1
    guard depth < Self.depthMaximum, values <= Self.valuesMaximum else { throw Self.excessive }
    guard index < count else { throw Self.damaged }
    let start = try whole(at: table + index * offsetSize, size: offsetSize)
    let marker = try byte(at: start)
    switch marker >> 4 {
    case 0x0: return PropertyList(value: .other(marker == 0 ? "null" : "true or false"))
    case 0x1, 0x2: return PropertyList(value: .other("a number"))
    case 0x3: return PropertyList(value: .other("a date"))
    case 0x4: return PropertyList(value: .other("data"))
    case 0x5, 0x6, 0x7: return PropertyList(value: .text(try text(at: start)))
    case 0xA:
      let (length, first) = try length(at: start)
      var elements: [PropertyList] = []
      for index in try references(length, at: first) {
        elements.append(try value(index, depth: depth + 1))
      }
      return PropertyList(value: .array(elements))
    case 0xD:
      let (length, first) = try length(at: start)
      guard length <= bytes.count else { throw Self.damaged }
      let all = try references(2 * length, at: first)
      var entries: [PropertyList.Entry] = []
      for (key, index) in zip(all.prefix(length), all.dropFirst(length)) {
        guard let key = try value(key, depth: depth + 1).text else { throw Self.damaged }
        entries.append(
          PropertyList.Entry(key: key, value: try value(index, depth: depth + 1)))
      }
      return PropertyList(value: .dictionary(entries))
    default: return PropertyList(value: .other("of an unknown kind"))
    }
  }

  /// 5: ASCII; 6: UTF-16, big-endian; 7: UTF-8.
  private mutating func text(at start: Int) throws(DocumentError) -> String {
    let (length, first) = try length(at: start)
    let isWide = try byte(at: start) >> 4 == 0x6
    guard length <= (bytes.count - first) / (isWide ? 2 : 1) else { throw Self.damaged }
    textBytes += length
    guard textBytes <= Self.textBytesMaximum else { throw Self.excessive }
    guard isWide else {
      return String(decoding: bytes[first..<(first + length)], as: UTF8.self)
    }
    let units = (0..<length).map {
      UInt16(bytes[first + 2 * $0]) << 8 | UInt16(bytes[first + 2 * $0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The count in a marker, or in the integer that follows it, and where the contents begin.
  private func length(at start: Int) throws(DocumentError) -> (Int, Int) {
    let short = try byte(at: start) & 0xF
    guard short == 0xF else { return (Int(short), start + 1) }
    let marker = try byte(at: start + 1)
    guard marker >> 4 == 0x1, marker & 0xF <= 3 else { throw Self.damaged }
    let size = 1 << Int(marker & 0xF)
    return (try whole(at: start + 2, size: size), start + 2 + size)
  }

  private func references(_ length: Int, at first: Int) throws(DocumentError) -> [Int] {
    guard length <= (bytes.count - first) / referenceSize else { throw Self.damaged }
    var references: [Int] = []
    for index in 0..<length {
      references.append(try whole(at: first + index * referenceSize, size: referenceSize))
    }
    return references
  }

  private func byte(at place: Int) throws(DocumentError) -> UInt8 {
    guard bytes.indices.contains(place) else { throw Self.damaged }
    return bytes[place]
  }

  private func whole(at place: Int, size: Int) throws(DocumentError) -> Int {
    guard place >= 0, place <= bytes.count - size,
      let number = Self.number(bytes[place..<(place + size)])
    else { throw Self.damaged }
    return number
  }

  /// Big-endian; nil where it is no offset of any file here.
  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    var number: UInt64 = 0
    for byte in bytes { number = number << 8 | UInt64(byte) }
    return number <= UInt64(Int32.max) ? Int(number) : nil
  }

  private static let trailerBytes = 32
  private static var excessive: DocumentError {
    DocumentError(because: "is a property list that is nested or large beyond all use")
  }
  private static var damaged: DocumentError {
    DocumentError(because: "is a damaged binary property list")
  }
}
