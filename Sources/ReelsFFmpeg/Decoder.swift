internal import CReelsFFmpeg
package import ReelsModel

/// An open decoder of one stream.
package struct Decoder: ~Copyable, @unchecked Sendable {
  // Sound to send: one owner at a time; libavcodec's own threads are its own business.
  private let context: UnsafeMutablePointer<AVCodecContext>
  private let subject: String
  /// Of the frames that come out.
  package let timeBase: Ratio

  /// Pictures larger than this are refused: 8K in either direction, twice over for odd shapes.
  package static let maximumPixels: Int64 = 8192 * 8192

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  /// Opens the decoder of a demuxer's stream.
  ///
  /// - Parameter skippingLoopFilter: decode without the loop filter, for counting frames and errors
  ///   where the pixels do not matter.
  /// - Throws: where there is no decoder, or the stream's parameters are not its kind
  ///   (`avcodec_open2`).
  package static func open(
    _ demuxer: borrowing Demuxer, stream index: Int, threads: Int, skippingLoopFilter: Bool = false
  ) throws(FFmpegError) -> Decoder {
    let file = demuxer.subject
    guard let stream = demuxer.stream(index), let parameters = stream.pointee.codecpar else {
      throw FFmpegError(
        code: .init(rawValue: rp_error_stream_not_found), operation: "open", subject: file,
        detail: nil)
    }
    let id = parameters.pointee.codec_id
    guard let codec = Self.decoder(of: id, hasAlpha: demuxer.hasAlphaLayer(index)) else {
      throw FFmpegError(
        code: .decoderNotFound, operation: "decode", subject: file,
        detail: avcodec_get_name(id).map { String(cString: $0) })
    }
    let context = try allocated(avcodec_alloc_context3(codec), "decoder")
    let decoder = Decoder(
      context: context, subject: file,
      timeBase: Ratio(stream.pointee.time_base) ?? Ratio(1, Int64(AV_TIME_BASE)))
    try check(avcodec_parameters_to_context(context, parameters), "decode", file)
    context.pointee.pkt_timebase = stream.pointee.time_base
    context.pointee.thread_count = Int32(clamping: max(1, threads))
    context.pointee.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT
    context.pointee.max_pixels = maximumPixels
    if skippingLoopFilter { context.pointee.skip_loop_filter = AVDISCARD_ALL }
    try check(avcodec_open2(context, codec, nil), "decode", file)
    return decoder
  }

  /// Opens the decoder of what an encoder writes.
  ///
  /// - Throws: where there is no such decoder, or no memory is left.
  package static func open(of encoder: borrowing Encoder) throws(FFmpegError) -> Decoder {
    let id = encoder.context.pointee.codec_id
    guard let codec = avcodec_find_decoder(id) else {
      throw FFmpegError(
        code: .decoderNotFound, operation: "decode", subject: "encoder",
        detail: avcodec_get_name(id).map { String(cString: $0) })
    }
    let context = try allocated(avcodec_alloc_context3(codec), "decoder")
    let decoder = Decoder(
      context: context, subject: "encoder",
      timeBase: Ratio(encoder.context.pointee.time_base) ?? Ratio(1, Int64(AV_TIME_BASE)))
    var parameters: UnsafeMutablePointer<AVCodecParameters>? = try allocated(
      avcodec_parameters_alloc(), "decoder")
    defer { avcodec_parameters_free(&parameters) }
    try check(avcodec_parameters_from_context(parameters, encoder.context), "decode", "encoder")
    try check(avcodec_parameters_to_context(context, parameters), "decode", "encoder")
    try check(avcodec_open2(context, codec, nil), "decode", "encoder")
    return decoder
  }

  /// Whether a decoder takes a stream's configuration: one may know a codec and not all of it, as xHE-AAC.
  static func opens(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Bool {
    guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else { return false }
    var context = avcodec_alloc_context3(codec)
    defer { avcodec_free_context(&context) }
    guard let context, avcodec_parameters_to_context(context, parameters) >= 0 else { return false }
    return avcodec_open2(context, codec, nil) >= 0
  }

  package var codec: String {
    avcodec_get_name(context.pointee.codec_id).map { String(cString: $0) } ?? ""
  }

  /// libav's own decoders of VP8 and VP9 leave out the layer that WebM keeps alpha in; libvpx's take it.
  private static func decoder(of id: AVCodecID, hasAlpha: Bool) -> UnsafePointer<AVCodec>? {
    let name = id == AV_CODEC_ID_VP9 ? "libvpx-vp9" : id == AV_CODEC_ID_VP8 ? "libvpx" : nil
    if hasAlpha, let name, let codec = avcodec_find_decoder_by_name(name) { return codec }
    return avcodec_find_decoder(id)
  }

  /// How many pictures may be held back before one comes out.
  package var delay: Int {
    let threads =
      context.pointee.active_thread_type & FF_THREAD_FRAME != 0
      ? Int(context.pointee.thread_count) - 1 : 0
    return Int(context.pointee.has_b_frames) + threads + 1
  }

  /// Whether a packet gives a picture: VP8's alternate references are not shown (RFC 6386 §9.1, bit 4), and
  /// an MPEG-4 picture that is not coded, of a few bytes, says that nothing has changed.
  package func shows(_ packet: borrowing Packet) -> Bool {
    switch context.pointee.codec_id {
    case AV_CODEC_ID_VP8: packet.withBytes { $0.first.map { $0 & 0x10 != 0 } ?? false }
    case AV_CODEC_ID_MPEG4: packet.byteCount > 16
    default: true
    }
  }

  /// Whether pictures come out in another order than they go in, as far as the stream has said so.
  package var reorders: Bool { context.pointee.has_b_frames > 0 }

  /// Sends one packet (`avcodec_send_packet`).
  ///
  /// Receive until `needsInput` first: then the decoder never refuses input.
  ///
  /// - Throws: where the packet cannot be decoded. The decoder goes on with the next one.
  package func send(_ packet: borrowing Packet) throws(FFmpegError) {
    try check(avcodec_send_packet(context, packet.pointer), "decode", subject)
  }

  /// Says that no packet follows, so that the frames in flight come out.
  package func sendEnd() throws(FFmpegError) {
    try check(avcodec_send_packet(context, nil), "decode", subject)
  }

  /// The next frame (`avcodec_receive_frame`).
  package func receive() throws(FFmpegError) -> Pull<Frame> {
    let frame = try Frame()
    let result = avcodec_receive_frame(context, frame.pointer)
    switch FFmpegError.Code(rawValue: result) {
    case .again: return .needsInput
    case .end: return .end
    default:
      try check(result, "decode", subject)
      return .value(frame)
    }
  }
}
