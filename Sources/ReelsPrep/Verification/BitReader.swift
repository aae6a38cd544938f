/// Reads bits, most significant first, never past the end.
struct BitReader {
  private let place: String
  private let bytes: [UInt8]
  /// In bits.
  private var position = 0

  init(_ bytes: some Sequence<UInt8>, place: String) {
    self.bytes = Array(bytes)
    self.place = place
  }

  /// A reader of a NAL unit's payload, without the emulation prevention bytes (H.264, 7.4.1).
  init(nalPayload: some Sequence<UInt8>, place: String) {
    self.init(Self.plain(nalPayload), place: place)
  }

  /// A NAL unit's payload without the emulation prevention bytes (H.264, 7.4.1).
  static func plain(_ nalPayload: some Sequence<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    var zeros = 0
    for byte in nalPayload {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      plain.append(byte)
    }
    return plain
  }

  var remaining: Int { bytes.count * 8 - position }

  /// The next `count` bits, at most 32, as a number.
  ///
  /// - Throws: `Malformed` where there are fewer; so do all the readers below.
  mutating func bits(_ count: Int) throws(Malformed) -> Int {
    guard count <= 32, count <= remaining else { throw Malformed("\(place) is cut short") }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position >> 3] >> (7 - position & 7) & 1)
      position += 1
    }
    return value
  }

  mutating func flag() throws(Malformed) -> Bool { try bits(1) == 1 }

  /// An unsigned Exp-Golomb code: ue(v) of H.264, 9.1; at most 2³² − 2.
  mutating func ue() throws(Malformed) -> Int {
    var zeros = 0
    while try !flag() {
      zeros += 1
      guard zeros < 32 else { throw Malformed("\(place) holds a number that is too large") }
    }
    return (1 << zeros) - 1 + (try bits(zeros))
  }

  /// A signed Exp-Golomb code: se(v) of H.264, 9.1.
  mutating func se() throws(Malformed) -> Int {
    let code = try ue()
    return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
  }
}
