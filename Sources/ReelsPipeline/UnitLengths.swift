/// How H.264 or HEVC in a container's packets is divided into NAL units: each after its length.
package struct UnitLengths: Hashable, Sendable {
  /// Bytes: 1, 2 or 4.
  package let size: Int

  package init(size: Int) { self.size = size }

  /// - Parameter configuration: an `avcC` box's payload (ISO/IEC 14496-15, 5.3.3.1).
  /// - Returns: nil where it is none.
  package init?(configuration: [UInt8]) {
    guard configuration.count > 6, configuration[0] == 1 else { return nil }
    size = Int(configuration[4] & 3) + 1
    if size == 3 { return nil }
  }

  /// - Parameter hvcC: an `hvcC` box's payload (ISO/IEC 14496-15, 8.3.3.1).
  /// - Returns: nil where it is none.
  package init?(hvcC: [UInt8]) {
    guard hvcC.count > 22, hvcC[0] == 1 else { return nil }
    size = Int(hvcC[21] & 3) + 1
    if size == 3 { return nil }
  }

  /// The units of a packet.
  ///
  /// - Returns: nil where they do not fill it.
  package func units(of bytes: [UInt8]) -> [Range<Int>]? {
    var found: [Range<Int>] = []
    var position = 0
    while position < bytes.count {
      guard bytes.count - position > size else { return nil }
      let length = bytes[position..<position + size].reduce(0) { $0 << 8 | Int($1) }
      position += size
      guard length > 0, length <= bytes.count - position else { return nil }
      found.append(position..<position + length)
      position += length
    }
    return found
  }
}
