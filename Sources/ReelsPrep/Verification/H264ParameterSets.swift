/// What `avcC` says of a video track: ISO/IEC 14496-15, 5.3.3.1.
struct H264ParameterSets: Sendable {
  let location: String
  /// `profile_idc`, the constraint flags and `level_idc` as the box repeats them.
  let profileIDC: Int
  let constraintFlags: Int
  let levelIDC: Int
  /// How many bytes the length before each NAL unit takes: 1, 2 or 4.
  let lengthSize: Int
  /// Never empty.
  let sequences: [H264SPS]
  let pictures: [H264PPS]
  /// The NAL units themselves, to tell a repeated set from another one.
  let sequenceUnits: [[UInt8]]
  let pictureUnits: [[UInt8]]

  /// All of them.
  var units: Set<[UInt8]> { Set(sequenceUnits + pictureUnits) }

  /// - Throws: `Malformed` where the box or a set in it contradicts the standard, or there is none.
  init(avcC box: MP4Box) throws(Malformed) {
    self.location = box.location
    var reader = box.reader
    guard try reader.u8() == 1 else { throw Malformed("\(location) is not of version 1") }
    self.profileIDC = Int(try reader.u8())
    self.constraintFlags = Int(try reader.u8())
    self.levelIDC = Int(try reader.u8())
    self.lengthSize = Int(try reader.u8() & 3) + 1
    guard lengthSize != 3 else { throw Malformed("\(location) has lengths of 3 bytes") }

    var sequenceUnits: [[UInt8]] = []
    for _ in 0..<(try reader.u8() & 31) {
      sequenceUnits.append(Array(try reader.take(Int(try reader.u16()))))
    }
    var pictureUnits: [[UInt8]] = []
    for _ in 0..<(try reader.u8()) {
      pictureUnits.append(Array(try reader.take(Int(try reader.u16()))))
    }
    var pictures: [H264PPS] = []
    for unit in pictureUnits {
      pictures.append(try H264PPS(unit: unit[...], location: location))
    }
    var sequences: [H264SPS] = []
    for unit in sequenceUnits {
      sequences.append(try H264SPS(unit: unit[...], location: location))
    }
    guard !sequences.isEmpty, !pictures.isEmpty else {
      throw Malformed("\(location) holds no parameter sets")
    }
    self.sequences = sequences
    self.pictures = pictures
    self.sequenceUnits = sequenceUnits
    self.pictureUnits = pictureUnits
  }
}

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
