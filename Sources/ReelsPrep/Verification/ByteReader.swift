/// Reads big-endian numbers from a run of bytes, never past its end.
struct ByteReader {
  /// What the bytes are, for the sentence of an error.
  private let place: String
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>, place: String) {
    self.bytes = bytes
    self.place = place
    self.position = bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - position }

  /// The bytes not yet read.
  var rest: ArraySlice<UInt8> { bytes[position...] }

  /// Takes the next `count` bytes.
  ///
  /// - Throws: `Malformed` where there are fewer; so do all the readers below.
  mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw Malformed("\(place) is cut short") }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func skip(_ count: Int) throws(Malformed) { _ = try take(count) }

  mutating func u8() throws(Malformed) -> UInt8 { UInt8(truncatingIfNeeded: try number(1)) }
  mutating func u16() throws(Malformed) -> UInt16 { UInt16(truncatingIfNeeded: try number(2)) }
  mutating func u32() throws(Malformed) -> UInt32 { UInt32(truncatingIfNeeded: try number(4)) }
  mutating func u64() throws(Malformed) -> UInt64 { try number(8) }
  mutating func i32() throws(Malformed) -> Int32 { Int32(bitPattern: try u32()) }

  /// A count of entries that each take `width` bytes of what remains.
  ///
  /// - Throws: `Malformed` where so many do not fit.
  mutating func count(ofEntriesOf width: Int) throws(Malformed) -> Int {
    let count = Int(try u32())
    let (needed, overflow) = count.multipliedReportingOverflow(by: width)
    guard !overflow, needed <= remaining else {
      throw Malformed("\(place) claims \(count) entries, more than it holds")
    }
    return count
  }

  private mutating func number(_ count: Int) throws(Malformed) -> UInt64 {
    var value: UInt64 = 0
    for byte in try take(count) { value = value << 8 | UInt64(byte) }
    return value
  }
}
