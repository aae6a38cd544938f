internal import CReelsFFmpeg
package import ReelsModel

/// An MP4 file being written: moov first, no edit list, no metadata.
package struct Muxer: ~Copyable, @unchecked Sendable {
  // Sound to send: one owner at a time.
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let subject: String

  deinit {
    avio_closep(&context.pointee.pb)
    avformat_free_context(context)
  }

  /// What one track is called when packets are written.
  package struct Track: Hashable, Sendable {
    let index: Int32
    let timeBase: Ratio
  }

  /// Creates the file (`avformat_alloc_output_context2`, `avio_open2`).
  package static func create(_ path: FilePath) throws(FFmpegError) -> Muxer {
    LibraryLog.install()
    let subject = path.lastComponent.description
    let url = "file:".utf8.map { CChar(bitPattern: $0) } + path.cString
    var opened: UnsafeMutablePointer<AVFormatContext>?
    try check(avformat_alloc_output_context2(&opened, nil, "mp4", url), "create", subject)
    let muxer = Muxer(context: try allocated(opened, subject), subject: subject)
    try check(
      avio_open2(&muxer.context.pointee.pb, url, AVIO_FLAG_WRITE, nil, nil), "create", subject)
    // No version strings and no creation time: the same packets give the same bytes.
    muxer.context.pointee.flags |= AVFMT_FLAG_BITEXACT
    return muxer
  }

  /// Adds an encoder's stream. The track's time stamps count `timeScale` ticks a second.
  package func addTrack(
    _ encoder: borrowing Encoder, timeScale: Int64
  ) throws(FFmpegError) -> Track {
    let stream = try allocated(avformat_new_stream(context, nil), subject)
    try check(
      avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), "create", subject)
    stream.pointee.codecpar.pointee.codec_tag = 0
    stream.pointee.time_base = AVRational(num: 1, den: Int32(clamping: timeScale))
    stream.pointee.avg_frame_rate = encoder.context.pointee.framerate
    return Track(index: stream.pointee.index, timeBase: encoder.timeBase)
  }

  /// Adds a stream that is copied.
  ///
  /// - Parameter timeBase: of the packets that will be written.
  package func addTrack(
    _ parameters: borrowing StreamParameters, timeBase: Ratio, timeScale: Int64,
    frameRate: Ratio? = nil
  ) throws(FFmpegError) -> Track {
    let stream = try allocated(avformat_new_stream(context, nil), subject)
    try check(
      avcodec_parameters_copy(stream.pointee.codecpar, parameters.pointer), "create", subject)
    stream.pointee.time_base = AVRational(num: 1, den: Int32(clamping: timeScale))
    if let frameRate { stream.pointee.avg_frame_rate = frameRate.rational }
    return Track(index: stream.pointee.index, timeBase: timeBase)
  }

  /// Writes the header; no track can be added after it (`avformat_write_header`).
  ///
  /// - Parameter videoTimeScale: a multiple of the frame rate's numerator, so that every interval is
  ///   the same number of ticks.
  package func begin(videoTimeScale: Int64) throws(FFmpegError) {
    var options = Options([
      "movflags": "+faststart+negative_cts_offsets", "use_editlist": "0", "brand": "mp42",
      "video_track_timescale": "\(videoTimeScale)", "movie_timescale": "\(videoTimeScale)",
    ])
    try check(options.lend { avformat_write_header(context, $0) }, "create", subject)
  }

  /// Writes one packet, whose time stamps are in the track's encoder's time base (`av_write_frame`).
  package func write(_ packet: borrowing Packet, to track: Track) throws(FFmpegError) {
    guard let stream = context.pointee.streams?[Int(track.index)] else { return }
    packet.pointer.pointee.stream_index = track.index
    av_packet_rescale_ts(packet.pointer, track.timeBase.rational, stream.pointee.time_base)
    try check(av_write_frame(context, packet.pointer), "write", subject)
  }

  /// Writes the sample tables and moves them to the front (`av_write_trailer`).
  ///
  /// - Throws: also what only shows on closing, as on a full disk.
  package consuming func finish() throws(FFmpegError) {
    try check(av_write_trailer(context), "write", subject)
    try check(avio_closep(&context.pointee.pb), "write", subject)
  }
}
