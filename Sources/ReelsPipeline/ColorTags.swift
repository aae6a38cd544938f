internal import ReelsFFmpeg

/// Colour tags for H.264 that has none: its sequence parameter sets are replaced, beside the stream and in
/// it, and every other NAL unit stays as it is.
struct ColorTags {
  /// What stands beside the stream, with the new sets: the `avcC` box's payload, or units after start codes
  /// where the source has them so; the muxer turns these into lengths.
  let configuration: [UInt8]
  /// nil where units stand after start codes.
  private let lengths: UnitLengths?
  /// The new set for each old one.
  private let sets: [[UInt8]: [UInt8]]

  private static let sequenceSet: UInt8 = 7

  /// - Throws: `TranscodeError.notExact` where the sets are stored neither as in an MP4 nor as in a transport
  ///   stream.
  init(_ parameters: borrowing StreamParameters) throws {
    let old = parameters.configuration
    let new = StartCodes.units(of: try parameters.configurationWithColorTags())
      .filter { $0.first.map { $0 & 31 == Self.sequenceSet } == true }
    guard old.first == 1 else {
      let units = StartCodes.units(of: old)
      let replaced = units.filter { Self.isSet($0) }
      guard replaced.count == new.count, !new.isEmpty else { throw TranscodeError.notExact }
      let pairs = Dictionary(zip(replaced, new)) { first, _ in first }
      (sets, lengths) = (pairs, nil)
      configuration = units.flatMap { [UInt8]([0, 0, 0, 1]) + (pairs[$0] ?? $0) }
      return
    }
    guard let lengths = UnitLengths(configuration: old) else { throw TranscodeError.notExact }
    // Version, profile, constraints, level and the size of lengths, then the count of sets.
    var bytes = Array(old[..<6])
    var sets: [[UInt8]: [UInt8]] = [:]
    var position = 6
    guard Int(old[5] & 31) == new.count, !new.isEmpty else { throw TranscodeError.notExact }
    for set in new {
      guard old.count - position >= 2, set.count <= Int(UInt16.max) else {
        throw TranscodeError.notExact
      }
      let end = position + 2 + Int(old[position]) << 8 + Int(old[position + 1])
      guard end <= old.count else { throw TranscodeError.notExact }
      sets[Array(old[position + 2..<end])] = set
      bytes += [UInt8(set.count >> 8), UInt8(set.count & 255)] + set
      position = end
    }
    // The picture parameter sets, and what High profile has after them.
    configuration = bytes + old[position...]
    self.lengths = lengths
    self.sets = sets
  }

  /// A packet with the new sets in the place of the old ones.
  ///
  /// - Throws: `TranscodeError.notExact` where it has others.
  func written(_ packet: consuming Packet) throws -> Packet {
    let bytes = packet.bytes
    guard let lengths else { return try packet.replacing(try afterStartCodes(bytes)) }
    guard let units = lengths.units(of: bytes) else { throw TranscodeError.notExact }
    let isSet = { (unit: Range<Int>) in bytes[unit.lowerBound] & 31 == Self.sequenceSet }
    guard units.contains(where: isSet) else { return packet }
    var result: [UInt8] = []
    for unit in units {
      var content = Array(bytes[unit])
      if isSet(unit) {
        guard let set = sets[content] else { throw TranscodeError.notExact }
        content = set
      }
      guard content.count >> (8 * lengths.size) == 0 else { throw TranscodeError.notExact }
      result += (1...lengths.size).map {
        UInt8(truncatingIfNeeded: content.count >> (8 * (lengths.size - $0)))
      }
      result += content
    }
    return try packet.replacing(result)
  }

  private static func isSet(_ unit: [UInt8]) -> Bool {
    unit.first.map { $0 & 31 == sequenceSet } == true
  }

  private func afterStartCodes(_ bytes: [UInt8]) throws -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 64)
    for unit in StartCodes.units(of: bytes) {
      var content = unit
      if Self.isSet(unit) {
        guard let set = sets[unit] else { throw TranscodeError.notExact }
        content = set
      }
      result += [0, 0, 0, 1] + content
    }
    return result
  }
}
