internal import CReelsFFmpeg
internal import ReelsModel

/// Decoded samples in a queue, planar float, from which frames of any length are taken.
package struct SampleFifo: ~Copyable, @unchecked Sendable {
  // Sound to send: one owner at a time.
  private let fifo: OpaquePointer
  private let channels: Int
  private let sampleRate: Int

  deinit { av_audio_fifo_free(fifo) }

  /// An empty queue (`av_audio_fifo_alloc`).
  package init(channels: Int, sampleRate: Int) throws(FFmpegError) {
    guard
      let fifo = av_audio_fifo_alloc(AV_SAMPLE_FMT_FLTP, Int32(clamping: channels), 8192)
    else {
      throw FFmpegError(code: .outOfMemory, operation: "queue", subject: "samples", detail: nil)
    }
    self.fifo = fifo
    self.channels = channels
    self.sampleRate = sampleRate
  }

  package var count: Int { Int(av_audio_fifo_size(fifo)) }

  /// Appends a frame's samples from `offset` on, at most `limit` of them (`av_audio_fifo_write`).
  package func append(
    _ frame: borrowing Frame, from offset: Int, limit: Int
  ) throws(FFmpegError) {
    let count = min(frame.sampleCount - offset, limit)
    guard count > 0, let planes = frame.pointer.pointee.extended_data else { return }
    var shifted: [UnsafeMutableRawPointer?] = (0..<channels).map { channel in
      planes[channel].map { UnsafeMutableRawPointer($0 + offset * MemoryLayout<Float>.size) }
    }
    try check(
      shifted.withUnsafeMutableBufferPointer {
        av_audio_fifo_write(fifo, $0.baseAddress, Int32(clamping: count))
      }, "queue", "samples")
  }

  /// Appends samples of silence.
  package func appendSilence(_ count: Int) throws(FFmpegError) {
    guard count > 0 else { return }
    // A second at a time, so that a long gap costs no memory but the queue's own.
    let silence = try makeFrame(min(count, sampleRate))
    av_samples_set_silence(
      silence.pointer.pointee.extended_data, 0, Int32(silence.sampleCount), Int32(channels),
      AV_SAMPLE_FMT_FLTP)
    var left = count
    while left > 0 {
      let part = min(left, silence.sampleCount)
      try append(silence, from: 0, limit: part)
      left -= part
    }
  }

  /// Drops samples from the front.
  package func drop(_ count: Int) {
    av_audio_fifo_drain(fifo, Int32(clamping: min(count, self.count)))
  }

  /// Takes a frame of exactly `count` samples; what is missing is silence (`av_audio_fifo_read`).
  package func take(_ count: Int) throws(FFmpegError) -> Frame {
    let available = min(count, self.count)
    if available < count { try appendSilence(count - available) }
    let frame = try makeFrame(count)
    guard let planes = frame.pointer.pointee.extended_data else { return frame }
    var targets: [UnsafeMutableRawPointer?] = (0..<channels).map { planes[$0].map { .init($0) } }
    try check(
      targets.withUnsafeMutableBufferPointer {
        av_audio_fifo_read(fifo, $0.baseAddress, Int32(clamping: count))
      }, "queue", "samples")
    return frame
  }

  private func makeFrame(_ count: Int) throws(FFmpegError) -> Frame {
    let frame = try Frame()
    frame.pointer.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
    frame.pointer.pointee.nb_samples = Int32(clamping: count)
    frame.pointer.pointee.sample_rate = Int32(clamping: sampleRate)
    av_channel_layout_default(&frame.pointer.pointee.ch_layout, Int32(clamping: channels))
    try check(av_frame_get_buffer(frame.pointer, 0), "allocate", "samples")
    return frame
  }
}
