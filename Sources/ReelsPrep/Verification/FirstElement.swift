/// The first element of an AAC packet that holds sound: ISO/IEC 14496-3, 4.4.2.1, table 4.3.
struct FirstElement: Hashable, Sendable {
  /// One for a single channel, two for a pair.
  let channels: Int

  /// - Returns: nil where the packet begins with something else, or ends before.
  init?(_ packet: [UInt8]) {
    var bits = BitReader(packet, place: "the first packet")
    while let kind = try? bits.bits(3) {
      switch kind {
      case 0: channels = 1
      case 1: channels = 2
      // A fill element, 4.4.2.7: its bytes are passed over.
      case 6:
        guard var count = try? bits.bits(4) else { return nil }
        if count == 15 {
          guard let more = try? bits.bits(8) else { return nil }
          count += more - 1
        }
        for _ in 0..<count {
          guard (try? bits.bits(8)) != nil else { return nil }
        }
        continue
      default: return nil
      }
      return
    }
    return nil
  }
}
