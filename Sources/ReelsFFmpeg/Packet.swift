internal import CReelsFFmpeg
internal import ReelsModel

/// A compressed piece of one stream.
package struct Packet: ~Copyable, @unchecked Sendable {
  // Sound to send: the pointer has one owner, and libav's buffers are reference counted atomically.
  let pointer: UnsafeMutablePointer<AVPacket>

  /// An empty packet (`av_packet_alloc`).
  package init() throws(FFmpegError) {
    pointer = try allocated(av_packet_alloc(), "packet")
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }

  /// Another reference to the same bytes (`av_packet_ref`).
  package func shared() throws(FFmpegError) -> Packet {
    let packet = try Packet()
    try check(av_packet_ref(packet.pointer, pointer), "keep", "packet")
    return packet
  }

  /// Another packet of the same properties (`av_new_packet`, `av_packet_copy_props`).
  package func replacing(_ bytes: [UInt8]) throws(FFmpegError) -> Packet {
    let packet = try Packet()
    try check(av_new_packet(packet.pointer, Int32(clamping: bytes.count)), "copy", "packet")
    try check(av_packet_copy_props(packet.pointer, pointer), "copy", "packet")
    packet.pointer.pointee.data?.update(from: bytes, count: packet.byteCount)
    packet.pointer.pointee.stream_index = pointer.pointee.stream_index
    return packet
  }

  package var stream: Int { Int(pointer.pointee.stream_index) }

  package var byteCount: Int { Int(pointer.pointee.size) }

  /// In ticks of the stream's time base; nil where the container gives none.
  package var pts: Int64? { timestamp(pointer.pointee.pts) }
  package var dts: Int64? { timestamp(pointer.pointee.dts) }

  /// Says when it is shown and decoded, and how long it lasts, in ticks of what it is written with.
  package func setTimes(pts: Int64, dts: Int64, duration: Int64) {
    pointer.pointee.pts = pts
    pointer.pointee.dts = dts
    pointer.pointee.duration = duration
  }

  /// Whether the stream's configuration changes with it.
  package var changesConfiguration: Bool {
    av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, nil) != nil
  }

  /// Leaves the bytes alone: what the container said beside them is of the source.
  package func dropSideData() { av_packet_free_side_data(pointer) }

  /// Says when it is decoded.
  package func setDTS(_ ticks: Int64) { pointer.pointee.dts = ticks }

  /// Moves both times by as many ticks.
  package func shift(by ticks: Int64) {
    if let pts { pointer.pointee.pts = pts + ticks }
    if let dts { pointer.pointee.dts = dts + ticks }
  }

  /// Bytes from the file's start. nil where the demuxer does not tell, as of all but the first of the
  /// frames that share a packet of the container: their times are computed, not read.
  package var position: Int64? { pointer.pointee.pos < 0 ? nil : pointer.pointee.pos }

  /// In ticks; 0 where it is unknown.
  package var duration: Int64 {
    get { pointer.pointee.duration }
    nonmutating set { pointer.pointee.duration = newValue }
  }

  package var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }

  /// Whether the container knows of damage, as a transport stream does by its counters.
  package var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

  /// Decoded for what follows but not shown, as before an edit list's start.
  package var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

  /// Whether its bytes are encrypted (ISO/IEC 23001-7).
  package var isEncrypted: Bool {
    av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil
  }

  /// A copy of the bytes.
  package var bytes: [UInt8] { withBytes { Array($0) } }

  /// Lends the bytes.
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    body(UnsafeRawBufferPointer(start: pointer.pointee.data, count: byteCount))
  }
}
