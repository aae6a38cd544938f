/// A picture parameter set, as far as a rule asks: H.264, 7.3.2.2.
struct H264PPS: Hashable, Sendable {
  let location: String
  /// More than one is flexible macroblock ordering.
  let sliceGroups: Int
  /// `entropy_coding_mode_flag`: CABAC.
  let hasArithmeticCoding: Bool
  /// `transform_8x8_mode_flag`; false where the set ends before it, or has slice groups.
  let hasLargeTransform: Bool

  /// Reads a NAL unit, its header included.
  init(unit: ArraySlice<UInt8>, location: String) throws(Malformed) {
    guard let header = unit.first, header & 31 == 8 else {
      throw Malformed("\(location) holds a picture parameter set that is none")
    }
    var bits = BitReader(nalPayload: unit.dropFirst(), place: location)
    _ = try bits.ue()
    _ = try bits.ue()
    self.hasArithmeticCoding = try bits.flag()
    _ = try bits.flag()
    self.location = location
    self.sliceGroups = try bits.ue() + 1
    // The stop bit and the zeros after it.
    let trailing = 1 + (unit.last { $0 != 0 }?.trailingZeroBitCount ?? 0)
    self.hasLargeTransform =
      sliceGroups == 1 && (try? bits.readLargeTransform(trailing: trailing)) == true
  }
}

extension BitReader {
  /// From `num_ref_idx_l0_default_active_minus1` to `transform_8x8_mode_flag`, which may be left out.
  fileprivate mutating func readLargeTransform(trailing: Int) throws(Malformed) -> Bool {
    for _ in 0..<2 { _ = try ue() }
    _ = try bits(3)
    for _ in 0..<3 { _ = try se() }
    _ = try bits(3)
    return remaining > trailing ? try flag() : false
  }
}
