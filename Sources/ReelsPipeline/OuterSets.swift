internal import ReelsFFmpeg

/// HEVC whose parameter sets stand beside the stream alone, as an `hvc1` has them (ISO/IEC
/// 14496-15, 8.4.1): sets that packets repeat are left out, and every other NAL unit stays.
///
/// Whoever asked for the copy has found that packets hold no other sets.
struct OuterSets {
  /// What stands beside the stream: the `hvcC` box's payload, or the sets after start codes where
  /// the source has them so; the muxer turns these into the box, and the packets' into lengths.
  let configuration: [UInt8]
  /// nil where units stand after start codes.
  private let lengths: UnitLengths?

  /// H.265, table 7-1: the types of video, sequence and picture parameter sets.
  private static let types: ClosedRange<UInt8> = 32...34

  /// - Returns: nil where the stream is not HEVC.
  /// - Throws: `TranscodeError.notExact` where the sets are stored neither as in an MP4 nor as in a
  ///   transport stream.
  init?(_ parameters: borrowing StreamParameters) throws {
    guard parameters.isHEVC else { return nil }
    let old = parameters.configuration
    guard old.first == 1 else {
      // Messages may stand among the sets: those in the packets are enough.
      let sets = StartCodes.units(of: old).filter { Self.isSet($0.first) }
      guard !sets.isEmpty else { throw TranscodeError.notExact }
      configuration = sets.flatMap { [UInt8]([0, 0, 0, 1]) + $0 }
      lengths = nil
      return
    }
    guard let lengths = UnitLengths(hvcC: old) else { throw TranscodeError.notExact }
    configuration = try Self.complete(old)
    self.lengths = lengths
  }

  /// An `hvcC` box's payload that says of each array of sets that it holds all of them
  /// (`array_completeness`, 1 in an `hvc1`: ISO/IEC 14496-15, 8.3.3.1 and 8.4.1); Matroska's
  /// often does not.
  private static func complete(_ box: [UInt8]) throws -> [UInt8] {
    var box = box
    var position = 23
    for _ in 0..<box[22] {
      guard box.count - position >= 3 else { throw TranscodeError.notExact }
      if types.contains(box[position] & 63) { box[position] |= 0x80 }
      let count = Int(box[position + 1]) << 8 + Int(box[position + 2])
      position += 3
      for _ in 0..<count {
        guard box.count - position >= 2 else { throw TranscodeError.notExact }
        position += 2 + Int(box[position]) << 8 + Int(box[position + 1])
      }
    }
    return box
  }

  /// A packet without the sets in it.
  ///
  /// - Throws: `TranscodeError.notExact` where the packet cannot be divided into units.
  func written(_ packet: consuming Packet) throws -> Packet {
    let bytes = packet.bytes
    guard let lengths else {
      let units = StartCodes.units(of: bytes)
      guard units.contains(where: { Self.isSet($0.first) }) else { return packet }
      return try packet.replacing(
        units.filter { !Self.isSet($0.first) }.flatMap { [UInt8]([0, 0, 0, 1]) + $0 })
    }
    guard let units = lengths.units(of: bytes) else { throw TranscodeError.notExact }
    guard units.contains(where: { Self.isSet(bytes[$0.lowerBound]) }) else { return packet }
    return try packet.replacing(
      units.filter { !Self.isSet(bytes[$0.lowerBound]) }
        .flatMap { bytes[$0.lowerBound - lengths.size..<$0.upperBound] })
  }

  private static func isSet(_ header: UInt8?) -> Bool {
    header.map { types.contains($0 >> 1 & 63) } == true
  }
}
