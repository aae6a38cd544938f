/// A packet of AAC-LC.
package enum AudioPacket {
  /// ISO/IEC 14496-3, table 4.68: 960 is for digital radio alone.
  package static let samples: Int64 = 1_024
}
