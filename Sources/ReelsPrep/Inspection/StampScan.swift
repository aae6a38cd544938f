internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Whether times of showing that only ever grow are times of decoding after all.
///
/// A stream that may reorder pictures and whose first packets do not is one of two: its container tells times
/// of decoding alone, or its encoder chose no B frames there. A time that goes back, or the lack of B slices,
/// tells the second.
struct StampScan {
  let input: FilePath
  let stream: Int
  /// How far to look, from the file's start.
  let seconds: Double
  let interrupt: Interrupt

  /// As many packets as are looked at.
  private static let maximumPackets = 20_000
  /// Bytes of a unit in which its header and `slice_type` lie.
  private static let headBytes = 8

  func order() throws -> StampOrder {
    var reader = try PacketReader.open(
      input, stream: stream, at: nil, interrupt: interrupt, decoding: false)
    let lengths = UnitLengths(
      configuration: try reader.demuxer.parameters(of: stream).configuration)
    var first: MediaTime?
    var latest: Int64?
    for _ in 0..<Self.maximumPackets {
      guard let packet = try reader.next() else { break }
      if let stamp = packet.pts {
        if let latest, stamp < latest { return .presentation }
        latest = stamp
      }
      if Self.holdsBidirectional(packet.bytes, lengths) { return .decoding }
      guard let time = reader.time(of: packet) else { continue }
      if (time - (first ?? time)).doubleValue > seconds { break }
      first = first ?? time
    }
    return .presentation
  }

  private static func holdsBidirectional(_ bytes: [UInt8], _ lengths: UnitLengths?) -> Bool {
    let units =
      lengths.map { $0.units(of: bytes)?.map { Array(bytes[$0].prefix(headBytes)) } ?? [] }
      ?? StartCodes.units(of: bytes).map { Array($0.prefix(headBytes)) }
    return units.contains { unit in
      // H.264, table 7-1: slices of pictures that are no IDR; then 7.3.3, `first_mb_in_slice`, `slice_type`.
      guard let header = unit.first, header & 31 == 1 else { return false }
      var bits = BitReader(nalPayload: unit.dropFirst(), place: "the slice")
      guard (try? bits.ue()) != nil, let type = try? bits.ue() else { return false }
      // Table 7-6.
      return type % 5 == 1
    }
  }
}
