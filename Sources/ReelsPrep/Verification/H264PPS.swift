/// A picture parameter set, as far as a rule asks: H.264, 7.3.2.2.
struct H264PPS: Hashable, Sendable {
  let location: String
  /// More than one is flexible macroblock ordering.
  let sliceGroups: Int

  /// Reads a NAL unit, its header included.
  init(unit: ArraySlice<UInt8>, location: String) throws(Malformed) {
    guard let header = unit.first, header & 31 == 8 else {
      throw Malformed("\(location) holds a picture parameter set that is none")
    }
    var bits = BitReader(nalPayload: unit.dropFirst(), place: location)
    _ = try bits.ue()
    _ = try bits.ue()
    _ = try bits.bits(2)
    self.location = location
    self.sliceGroups = try bits.ue() + 1
  }
}
