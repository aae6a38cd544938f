/// A file's bytes, damaged in a way that is the same for the same seed.
package struct Mutation: Sendable {
  package let seed: UInt64

  package init(seed: UInt64) { self.seed = seed }

  /// Values that sizes, counts and offsets fail at.
  private static let values: [UInt64] = [
    0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff,
    0x7fff_ffff_ffff_ffff, .max,
  ]
  /// What holds what in ISO media and Matroska, and so can be in the wrong place.
  private static let names = [
    "moov", "trak", "mdia", "minf", "stbl", "stsd", "stts", "ctts", "stsc", "stsz", "stco", "co64",
    "stss", "elst", "tkhd", "mdhd", "hdlr", "avcC", "hvcC", "esds", "dref", "url ", "moof", "traf",
    "trun", "mdat", "free", "meta", "udta", "colr", "pasp",
  ].map { Array($0.utf8) }

  package func apply(to original: [UInt8]) -> [UInt8] {
    var random = Random(state: seed)
    var bytes = original
    guard !bytes.isEmpty else { return bytes }
    for _ in 0...random.below(8) { change(&bytes, &random) }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ random: inout Random) {
    guard !bytes.isEmpty else { return }
    // Headers are at the start or, in many files, at the end.
    let place: Int
    switch random.below(4) {
    case 0: place = random.below(min(bytes.count, 4_096))
    case 1: place = bytes.count - 1 - random.below(min(bytes.count, 16_384))
    default: place = random.below(bytes.count)
    }
    let length = min(bytes.count - place, 1 << random.below(14))
    switch random.below(9) {
    case 0: bytes[place] ^= 1 << random.below(8)
    case 1: bytes[place] = UInt8(random.below(256))
    case 2:
      let value = Self.values[random.below(Self.values.count)]
      let width = min(bytes.count - place, 1 << random.below(4))
      for index in 0..<width {
        bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * (width - 1 - index)))
      }
    case 3: bytes.removeSubrange(place..<place + length)
    case 4: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
    case 5: for index in place..<place + length { bytes[index] = UInt8(random.below(256)) }
    case 6: for index in place..<place + length { bytes[index] = 0 }
    case 7: bytes.removeSubrange(place...)
    default:
      guard let found = box(in: bytes, &random) else { return }
      let name = Self.names[random.below(Self.names.count)]
      if random.below(2) == 0, found >= 4 {
        let value = Self.values[random.below(Self.values.count)]
        for index in 0..<4 {
          bytes[found - 4 + index] = UInt8(truncatingIfNeeded: value >> (8 * (3 - index)))
        }
      } else {
        bytes.replaceSubrange(found..<found + 4, with: name)
      }
    }
  }

  /// Where the name of some box is, from a random place on.
  private func box(in bytes: [UInt8], _ random: inout Random) -> Int? {
    let name = Self.names[random.below(Self.names.count)]
    let start = random.below(2) == 0 ? 0 : random.below(bytes.count)
    var index = start
    while index + 4 <= bytes.count {
      if bytes[index] == name[0], bytes[index + 1] == name[1], bytes[index + 2] == name[2],
        bytes[index + 3] == name[3]
      {
        return index
      }
      index += 1
    }
    return nil
  }

  /// SplitMix64.
  private struct Random {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((value ^ (value >> 31)) % UInt64(max(1, bound)))
    }
  }
}
