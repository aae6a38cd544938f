/// What `avcC` or `hvcC` says of a video track.
struct ParameterSets: Sendable {
  enum Codec: Hashable, Sendable {
    case h264, hevc
  }

  let codec: Codec
  let location: String
  /// `profile_idc` and `level_idc`, as the box repeats them.
  let profileNumber: Int
  let levelNumber: Int
  /// How many bytes the length before each NAL unit takes: 1, 2 or 4.
  let lengthSize: Int
  /// Never empty.
  let sequences: [any VideoSequence]
  /// Where a picture parameter set of H.264 asks for flexible macroblock ordering.
  let sliceGroupsLocation: String?
  /// Whether a picture parameter set of H.264 asks for CABAC, and for transforms of 8x8.
  let hasArithmeticCoding: Bool
  let hasLargeTransform: Bool
  /// The NAL units themselves, to tell a repeated set from another one.
  let sequenceUnits: [[UInt8]]
  let otherUnits: [[UInt8]]

  /// All of them.
  var units: Set<[UInt8]> { Set(sequenceUnits + otherUnits) }

  /// ISO/IEC 14496-15, 5.3.3.1.
  ///
  /// - Throws: `Malformed` where the box or a set in it contradicts the standard, or there is none.
  init(avcC box: MP4Box) throws(Malformed) {
    codec = .h264
    location = box.location
    var reader = box.reader
    guard try reader.u8() == 1 else { throw Malformed("\(location) is not of version 1") }
    profileNumber = Int(try reader.u8())
    try reader.skip(1)
    levelNumber = Int(try reader.u8())
    lengthSize = try Self.lengthSize(try reader.u8(), location)
    var sequenceUnits: [[UInt8]] = []
    for _ in 0..<(try reader.u8() & 31) { sequenceUnits.append(try Self.unit(&reader)) }
    var pictureUnits: [[UInt8]] = []
    for _ in 0..<(try reader.u8()) { pictureUnits.append(try Self.unit(&reader)) }
    var sliceGroups: String?
    var (arithmetic, large) = (false, false)
    for unit in pictureUnits {
      let set = try H264PPS(unit: unit[...], location: location)
      if set.sliceGroups > 1 { sliceGroups = location }
      arithmetic = arithmetic || set.hasArithmeticCoding
      large = large || set.hasLargeTransform
    }
    (hasArithmeticCoding, hasLargeTransform) = (arithmetic, large)
    guard !sequenceUnits.isEmpty, !pictureUnits.isEmpty else {
      throw Malformed("\(location) holds no parameter sets")
    }
    var sequences: [any VideoSequence] = []
    for unit in sequenceUnits { sequences.append(try H264SPS(unit: unit[...], location: location)) }
    self.sequences = sequences
    self.sequenceUnits = sequenceUnits
    otherUnits = pictureUnits
    sliceGroupsLocation = sliceGroups
  }

  /// ISO/IEC 14496-15, 8.3.3.1.
  ///
  /// - Throws: as for `avcC`.
  init(hvcC box: MP4Box) throws(Malformed) {
    codec = .hevc
    location = box.location
    sliceGroupsLocation = nil
    (hasArithmeticCoding, hasLargeTransform) = (false, false)
    var reader = box.reader
    guard try reader.u8() == 1 else { throw Malformed("\(location) is not of version 1") }
    profileNumber = Int(try reader.u8() & 31)
    try reader.skip(10)
    levelNumber = Int(try reader.u8())
    try reader.skip(8)
    lengthSize = try Self.lengthSize(try reader.u8(), location)
    var sequenceUnits: [[UInt8]] = []
    var otherUnits: [[UInt8]] = []
    for _ in 0..<(try reader.u8()) {
      let type = try reader.u8() & 63
      for _ in 0..<(try reader.u16()) {
        let unit = try Self.unit(&reader)
        if type == HEVCUnit.sequenceSet {
          sequenceUnits.append(unit)
        } else {
          otherUnits.append(unit)
        }
      }
    }
    guard !sequenceUnits.isEmpty else { throw Malformed("\(location) holds no parameter sets") }
    var sequences: [any VideoSequence] = []
    for unit in sequenceUnits { sequences.append(try HEVCSPS(unit: unit[...], location: location)) }
    self.sequences = sequences
    self.sequenceUnits = sequenceUnits
    self.otherUnits = otherUnits
  }

  /// A set inside of the stream.
  func sequence(of unit: [UInt8], location: String) throws(Malformed) -> any VideoSequence {
    switch codec {
    case .h264: try H264SPS(unit: unit[...], location: location)
    case .hevc: try HEVCSPS(unit: unit[...], location: location)
    }
  }

  private static func lengthSize(_ byte: UInt8, _ location: String) throws(Malformed) -> Int {
    let size = Int(byte & 3) + 1
    guard size != 3 else { throw Malformed("\(location) has lengths of 3 bytes") }
    return size
  }

  private static func unit(_ reader: inout ByteReader) throws(Malformed) -> [UInt8] {
    Array(try reader.take(Int(try reader.u16())))
  }
}

extension ParameterSets.Codec {
  /// What a NAL unit is, by its first byte (H.264, table 7-1; H.265, table 7-1).
  enum Unit: Hashable, Sendable {
    /// A slice of an IDR picture: decoding can begin here, and nothing after refers to before.
    case instantRefresh
    case otherSlice
    case sequenceSet
    case otherSet
    /// Supplemental enhancement information.
    case message
    case other
  }

  /// Of a NAL unit, in bytes.
  var headerSize: Int { self == .h264 ? 1 : 2 }

  func unit(_ byte: UInt8) -> Unit {
    switch self {
    case .h264:
      switch byte & 31 {
      case 1...4: .otherSlice
      case 5: .instantRefresh
      case 6: .message
      case 7: .sequenceSet
      case 8: .otherSet
      default: .other
      }
    case .hevc:
      switch HEVCUnit.type(byte) {
      case 19, 20: .instantRefresh
      case 0...31: .otherSlice
      case HEVCUnit.sequenceSet: .sequenceSet
      case 32, 34: .otherSet
      case 39, 40: .message
      default: .other
      }
    }
  }
}

/// NAL units of HEVC.
enum HEVCUnit {
  static let sequenceSet: UInt8 = 33

  static func type(_ byte: UInt8) -> UInt8 { byte >> 1 & 63 }
}
