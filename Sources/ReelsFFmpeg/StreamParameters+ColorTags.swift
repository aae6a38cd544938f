internal import CReelsFFmpeg

extension StreamParameters {
  /// The parameter sets of H.264 with BT.709 in limited range written into them (`h264_metadata`).
  ///
  /// - Returns: NAL units after start codes.
  /// - Throws: where libav cannot read the parameter sets.
  package func configurationWithColorTags() throws(FFmpegError) -> [UInt8] {
    LibraryLog.install()
    let name = "h264_metadata"
    guard let filter = av_bsf_get_by_name(name) else {
      throw FFmpegError(code: .invalidData, operation: "copy", subject: name, detail: "no filter")
    }
    var opened: UnsafeMutablePointer<AVBSFContext>?
    try check(av_bsf_alloc(filter, &opened), "copy", name)
    defer { av_bsf_free(&opened) }
    let context = try allocated(opened, name)
    try check(avcodec_parameters_copy(context.pointee.par_in, pointer), "copy", name)
    for (key, value) in [
      ("colour_primaries", 1), ("transfer_characteristics", 1), ("matrix_coefficients", 1),
      ("video_full_range_flag", 0),
    ] as [(String, Int64)] {
      try check(av_opt_set_int(context.pointee.priv_data, key, value, 0), "copy", name)
    }
    try check(av_bsf_init(context), "copy", name)
    return try StreamParameters.copying(context.pointee.par_out).configuration
  }

  /// Puts another configuration in the place of the stream's own.
  package func setConfiguration(_ bytes: [UInt8]) throws(FFmpegError) {
    let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let data = av_mallocz(bytes.count + padding) else {
      throw FFmpegError(code: .outOfMemory, operation: "copy", subject: "stream", detail: nil)
    }
    av_freep(&pointer.pointee.extradata)
    data.copyMemory(from: bytes, byteCount: bytes.count)
    pointer.pointee.extradata = data.assumingMemoryBound(to: UInt8.self)
    pointer.pointee.extradata_size = Int32(clamping: bytes.count)
  }
}
