internal import CReelsFFmpeg

/// The codecs of still pictures.
package enum StillCodec: Hashable, Sendable {
  case png, jpeg, webp

  fileprivate var id: AVCodecID {
    switch self {
    case .png: AV_CODEC_ID_PNG
    case .jpeg: AV_CODEC_ID_MJPEG
    case .webp: AV_CODEC_ID_WEBP
    }
  }
}

extension Decoder {
  /// Decodes a file that is one picture, given as its bytes.
  ///
  /// - Parameters:
  ///   - subject: the file's name, for errors.
  ///   - maximumPixels: a larger picture is refused before any memory is taken for it.
  /// - Throws: where there is no such decoder, or where the picture is damaged or more than one
  ///   (`avcodec_send_packet`, `avcodec_receive_frame`).
  package static func still(
    _ bytes: [UInt8], as still: StillCodec, subject: String, maximumPixels: Int
  ) throws(FFmpegError) -> Frame {
    LibraryLog.install()
    _ = LibraryLog.takeLastError()
    guard let codec = avcodec_find_decoder(still.id) else {
      throw FFmpegError(
        code: .decoderNotFound, operation: "decode", subject: subject,
        detail: avcodec_get_name(still.id).map { String(cString: $0) })
    }
    var context: UnsafeMutablePointer<AVCodecContext>? = try allocated(
      avcodec_alloc_context3(codec), "decoder")
    defer { avcodec_free_context(&context) }
    context?.pointee.thread_count = 1
    context?.pointee.max_pixels = Int64(maximumPixels)
    // A damaged picture is refused, not made up.
    context?.pointee.err_recognition = AV_EF_EXPLODE
    try check(avcodec_open2(context, codec, nil), "decode", subject)
    let packet = try Packet().replacing(bytes)
    try check(avcodec_send_packet(context, packet.pointer), "decode", subject)
    try check(avcodec_send_packet(context, nil), "decode", subject)
    let frame = try Frame()
    try check(avcodec_receive_frame(context, frame.pointer), "decode", subject)
    return frame
  }
}
