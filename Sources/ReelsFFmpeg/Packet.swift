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

  package var stream: Int {
    get { Int(pointer.pointee.stream_index) }
    nonmutating set { pointer.pointee.stream_index = Int32(clamping: newValue) }
  }

  package var byteCount: Int { Int(pointer.pointee.size) }

  /// In ticks of the stream's time base; nil where the container gives none.
  package var pts: Int64? { timestamp(pointer.pointee.pts) }
  package var dts: Int64? { timestamp(pointer.pointee.dts) }

  /// In ticks; 0 where it is unknown.
  package var duration: Int64 {
    get { pointer.pointee.duration }
    nonmutating set { pointer.pointee.duration = newValue }
  }

  package var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }

  /// Decoded for what follows but not shown, as before an edit list's start.
  package var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

  /// Moves both time stamps by `ticks`.
  package func shift(by ticks: Int64) {
    if let pts { pointer.pointee.pts = pts &+ ticks }
    if let dts { pointer.pointee.dts = dts &+ ticks }
  }

  package func setTimes(pts: Int64, dts: Int64) {
    pointer.pointee.pts = pts
    pointer.pointee.dts = dts
  }

  /// Lends the bytes.
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    body(UnsafeRawBufferPointer(start: pointer.pointee.data, count: byteCount))
  }
}
