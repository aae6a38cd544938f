internal import CReelsFFmpeg

/// What a container says of a stream that is copied (`AVCodecParameters`).
package struct StreamParameters: ~Copyable, @unchecked Sendable {
  // Sound to send: the pointer has one owner.
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  private init(_ pointer: UnsafeMutablePointer<AVCodecParameters>) { self.pointer = pointer }

  static func copying(
    _ source: UnsafePointer<AVCodecParameters>
  ) throws(FFmpegError) -> StreamParameters {
    let copy = StreamParameters(try allocated(avcodec_parameters_alloc(), "stream"))
    try check(avcodec_parameters_copy(copy.pointer, source), "copy", "stream")
    // The tag of another container, and what it said of rotation and light.
    copy.pointer.pointee.codec_tag = 0
    rp_clear_side_data(copy.pointer)
    return copy
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = pointer
    avcodec_parameters_free(&pointer)
  }

  /// As an MP4's `avcC` or `esds` holds it, or in another form in other containers.
  package var configuration: [UInt8] {
    guard let data = pointer.pointee.extradata else { return [] }
    return Array(UnsafeBufferPointer(start: data, count: Int(pointer.pointee.extradata_size)))
  }

  package var isHEVC: Bool { pointer.pointee.codec_id == AV_CODEC_ID_HEVC }

  /// Whole frames of square pixels of BT.709 in limited range, as the bitstream says.
  package func describePlainVideo() {
    pointer.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    pointer.pointee.color_primaries = AVCOL_PRI_BT709
    pointer.pointee.color_trc = AVCOL_TRC_BT709
    pointer.pointee.color_space = AVCOL_SPC_BT709
    pointer.pointee.color_range = AVCOL_RANGE_MPEG
    // Of HEVC in a transport stream libav does not know it, and would write no `fiel` box.
    pointer.pointee.field_order = AV_FIELD_PROGRESSIVE
    // Apple's players take no `hev1`, which libav would write.
    if isHEVC {
      pointer.pointee.codec_tag = "hvc1".utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  /// How many samples each packet holds, which a header does not tell.
  package func describePlainSound(packetSamples: Int) {
    pointer.pointee.frame_size = Int32(clamping: packetSamples)
  }
}

extension Demuxer {
  package func parameters(of index: Int) throws(FFmpegError) -> StreamParameters {
    guard let parameters = stream(index)?.pointee.codecpar else {
      throw FFmpegError(
        code: .init(rawValue: rp_error_stream_not_found), operation: "copy", subject: subject,
        detail: nil)
    }
    return try StreamParameters.copying(parameters)
  }
}
