package import ReelsFFmpeg

/// The header that AAC packets carry in transport streams (ADTS): ISO/IEC 14496-3, 1.A.2.2.
///
/// An MP4 says the same once, beside the packets.
package struct TransportHeader: Hashable, Sendable {
  /// The AudioSpecificConfig that says it (1.6.2.1): two bytes.
  package let configuration: [UInt8]
  /// In bytes: 7, or 9 where a checksum follows.
  package let byteCount: Int

  /// - Returns: nil where the packet has no such header, is not one whole frame, or lays out its channels
  ///   itself.
  package init?(_ packet: borrowing Packet) {
    let bytes = Array(packet.bytes.prefix(7))
    guard bytes.count == 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
    byteCount = bytes[1] & 1 == 1 ? 7 : 9
    let objectType = bytes[2] >> 6 + 1
    let rate = bytes[2] >> 2 & 15
    let channels = (bytes[2] & 1) << 2 | bytes[3] >> 6
    let length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5]) >> 5
    guard bytes[6] & 3 == 0, channels > 0, rate < 13, length == packet.byteCount,
      length > byteCount
    else { return nil }
    configuration = [objectType << 3 | rate >> 1, (rate & 1) << 7 | channels << 3]
  }
}
