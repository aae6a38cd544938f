internal import CReelsFFmpeg
package import ReelsModel

/// An open encoder.
package struct Encoder: ~Copyable, @unchecked Sendable {
  // Sound to send: one owner at a time.
  let context: UnsafeMutablePointer<AVCodecContext>
  private let subject: String
  /// What x264's `crf` is more than the rate factor.
  private var crfOffset = 0.0

  deinit {
    var context: UnsafeMutablePointer<AVCodecContext>? = context
    avcodec_free_context(&context)
  }

  private init(context: UnsafeMutablePointer<AVCodecContext>, subject: String) {
    self.context = context
    self.subject = subject
  }

  private static func allocate(_ name: String) throws(FFmpegError) -> (
    UnsafeMutablePointer<AVCodecContext>, UnsafePointer<AVCodec>
  ) {
    LibraryLog.install()
    guard let codec = avcodec_find_encoder_by_name(name) else {
      throw FFmpegError(
        code: .encoderNotFound, operation: "encode", subject: name, detail: nil)
    }
    return (try allocated(avcodec_alloc_context3(codec), name), codec)
  }

  /// H.264 by libx264: 8-bit 4:2:0, progressive, tagged BT.709 limited; time stamps count frames.
  ///
  /// - Throws: where libx264 is missing or refuses the parameters (`avcodec_open2`).
  package static func h264(
    size: PixelSize, frameRate: Ratio, encoding: VideoEncoding, pass: EncoderPass = .single
  ) throws(FFmpegError) -> Encoder {
    let (context, codec) = try allocate("libx264")
    var encoder = Encoder(context: context, subject: "libx264")
    encoder.crfOffset = pass.crfOffset
    context.pointee.width = Int32(clamping: size.width)
    context.pointee.height = Int32(clamping: size.height)
    context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
    context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    context.pointee.framerate = frameRate.rational
    context.pointee.time_base = (frameRate.inverted ?? Ratio(1, 30)).rational
    context.pointee.color_primaries = AVCOL_PRI_BT709
    context.pointee.color_trc = AVCOL_TRC_BT709
    context.pointee.colorspace = AVCOL_SPC_BT709
    context.pointee.color_range = AVCOL_RANGE_MPEG
    context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
    context.pointee.profile = rp_profile_h264_high
    context.pointee.level = Int32(clamping: encoding.level)
    context.pointee.gop_size = Int32(clamping: encoding.gopFrames)
    // More threads would make VBV depend on their timing, and the bytes with it.
    context.pointee.thread_count = 1
    if encoding.limitsPeak {
      context.pointee.rc_max_rate = encoding.maximumRate.value
      context.pointee.rc_buffer_size = Int32(clamping: encoding.bufferBits)
    }
    context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    var options = Options([
      "preset": encoding.tuning.preset, "crf": "\(encoding.crf + encoder.crfOffset)",
      "profile": "high",
      // Stitchable: headers that do not depend on the content, the same for every range.
      "x264-params": encoding.tuning.parameters + ":open-gop=0:force-cfr=1:stitchable=1"
        + (encoding.limitsPeak ? ":vbv-init=\(encoding.initialFill)" : "")
        + pass.parameters(lookahead: encoding.lookaheadFrames)
        + Self.sameOnEveryProcessor(size, pass),
    ])
    if case .first(let log) = pass {
      context.pointee.flags |= AV_CODEC_FLAG_PASS1
      options.set("stats", to: log)
    }
    try check(options.lend { avcodec_open2(context, codec, $0) }, "encode", "libx264")
    return encoder
  }

  /// x264 164's macroblock tree reads memory that nothing has written where AVX-512 is used and a row
  /// is not a whole number of eight macroblocks (1080 pixels are not): other bytes in every run. Its
  /// AVX2 code does not; and a second pass builds no tree.
  private static func sameOnEveryProcessor(_ size: PixelSize, _ pass: EncoderPass) -> String {
    switch pass {
    case .second, .alone: return ""
    case .single, .first: break
    }
    let isWhole = size.macroblocks.columns % 8 == 0
    return !isWhole && rp_cpu_has_avx512() != 0 ? ":asm=AVX2" : ""
  }

  /// AAC-LC by libavcodec's own encoder, from planar float; time stamps count samples.
  ///
  /// - Throws: where the parameters are refused (`avcodec_open2`).
  package static func aac(_ plan: AudioPlan) throws(FFmpegError) -> Encoder {
    let (context, codec) = try allocate("aac")
    let encoder = Encoder(context: context, subject: "aac")
    context.pointee.sample_rate = Int32(clamping: plan.sampleRate)
    context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
    av_channel_layout_default(&context.pointee.ch_layout, Int32(clamping: plan.channels))
    context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: plan.sampleRate))
    context.pointee.bit_rate = plan.bitRate.value
    context.pointee.profile = rp_profile_aac_low
    context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT
    try check(avcodec_open2(context, codec, nil), "encode", "aac")
    return encoder
  }

  /// A baseline JPEG by libavcodec, from full-range 4:2:0, or 4:4:4 for `wholeChroma`; quality is 1
  /// (best) to 31.
  package static func jpeg(
    size: PixelSize, quality: Int, wholeChroma: Bool = false
  ) throws(FFmpegError) -> Encoder {
    let (context, codec) = try allocate("mjpeg")
    let encoder = Encoder(context: context, subject: "mjpeg")
    context.pointee.width = Int32(clamping: size.width)
    context.pointee.height = Int32(clamping: size.height)
    context.pointee.pix_fmt = wholeChroma ? AV_PIX_FMT_YUVJ444P : AV_PIX_FMT_YUVJ420P
    context.pointee.color_range = AVCOL_RANGE_JPEG
    context.pointee.time_base = AVRational(num: 1, den: 1)
    // With an aspect ratio the encoder writes a JFIF header.
    context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
    context.pointee.thread_count = 1
    context.pointee.flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT
    context.pointee.qmin = Int32(clamping: min(2, quality))
    context.pointee.global_quality = Int32(clamping: quality) * FF_QP2LAMBDA
    var options = Options(["huffman": "optimal"])
    try check(options.lend { avcodec_open2(context, codec, $0) }, "encode", "mjpeg")
    return encoder
  }

  /// A PNG by libavcodec, from packed RGB or RGBA.
  package static func png(size: PixelSize, hasAlpha: Bool) throws(FFmpegError) -> Encoder {
    let (context, codec) = try allocate("png")
    let encoder = Encoder(context: context, subject: "png")
    context.pointee.width = Int32(clamping: size.width)
    context.pointee.height = Int32(clamping: size.height)
    context.pointee.pix_fmt = hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24
    context.pointee.time_base = AVRational(num: 1, den: 1)
    context.pointee.thread_count = 1
    context.pointee.flags |= AV_CODEC_FLAG_BITEXACT
    var options = Options(["pred": "mixed"])
    try check(options.lend { avcodec_open2(context, codec, $0) }, "encode", "png")
    return encoder
  }

  /// Samples a frame that the encoder takes; 0 for pictures.
  package var frameSize: Int { Int(context.pointee.frame_size) }

  package var timeBase: Ratio { Ratio(context.pointee.time_base) ?? Ratio(1) }

  /// Sends one frame (`avcodec_send_frame`). Receive until `needsInput` first.
  package func send(_ frame: borrowing Frame) throws(FFmpegError) {
    try check(avcodec_send_frame(context, frame.pointer), "encode", subject)
  }

  /// The rate factor from the next frame on that is encoded, for H.264: x264 takes it over with the
  /// next frame sent, not while the last ones are drained.
  package func setCRF(_ crf: Double) throws(FFmpegError) {
    try check(
      av_opt_set_double(context.pointee.priv_data, "crf", crf + crfOffset, 0), "encode", subject)
  }

  /// Says that no frame follows.
  package func sendEnd() throws(FFmpegError) {
    try check(avcodec_send_frame(context, nil), "encode", subject)
  }

  /// The next packet (`avcodec_receive_packet`).
  package func receive() throws(FFmpegError) -> Pull<Packet> {
    let packet = try Packet()
    let result = avcodec_receive_packet(context, packet.pointer)
    switch FFmpegError.Code(rawValue: result) {
    case .again: return .needsInput
    case .end: return .end
    default:
      try check(result, "encode", subject)
      return .value(packet)
    }
  }

  /// The one packet of a still picture.
  package consuming func encodeStill(_ frame: borrowing Frame) throws(FFmpegError) -> [UInt8] {
    try send(frame)
    try sendEnd()
    var bytes: [UInt8] = []
    while case .value(let packet) = try receive() {
      packet.withBytes { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}

/// What an H.264 encoder knows of the frames to come.
package enum EncoderPass: Sendable {
  /// It looks ahead by itself.
  case single
  /// The same, and x264 writes what it decides into this file and one named `.mbtree` after it, when
  /// the encoder is freed.
  case first(log: FilePath)
  /// Each frame is guided by a first pass (`Frame.guide`).
  case second
  /// An IDR frame, and P frames that refer to the one before: each packet comes with its frame.
  case alone

  /// What makes the bits of a second pass those of a single one, at the same rate factor: without a
  /// tree of its own x264 leaves out (1 − qcomp) × 13.5 = 5.4. Measured at 2 Mbit/s, 1080p.
  var crfOffset: Double {
    switch self {
    case .single, .first: 0
    case .second, .alone: 5.4
    }
  }

  private static let blind =
    ":rc-lookahead=0:mbtree=0:b-adapt=0:scenecut=0:qcomp=0.999:weightp=1"

  func parameters(lookahead: Int) -> String {
    switch self {
    case .single: ":rc-lookahead=\(lookahead)"
    // Adaptive quantisation is the second pass's, at full size. A tree of three quarters of the usual
    // strength: what the small picture sees as still is less so at full size.
    case .first: ":rc-lookahead=\(lookahead):b-adapt=2:aq-mode=2:aq-strength=0:qcomp=0.7"
    // Every frame has the rate factor and what the tree says of it. With 1, x264 would take nothing
    // off the first IDR frame (`ipratio`).
    case .second: Self.blind + ":pbratio=1.05"
    case .alone: Self.blind + ":bframes=0:sync-lookahead=0"
    }
  }
}

extension VideoEncoding {
  /// x264's settings for each effort: points of a measured curve of CPU against quality.
  ///
  /// On 16 s of mixed 1080x1920 at the bytes of two-pass medium at 3.5 Mbit/s (VMAF 95.85, 5th percentile
  /// 90.45, SSIM 0.99860), as second passes, with their share of its CPU, decoding apart:
  ///
  /// | | CPU | VMAF | 5th percentile | SSIM |
  /// |---|---|---|---|---|
  /// | fast | 0.21 | 96.35 | 91.69 | 0.99857 |
  /// | balanced | 0.31 | 96.64 | 92.20 | 0.99865 |
  /// | best | 0.64 | 96.95 | 92.77 | 0.99891 |
  ///
  /// (fast and best with a stronger tree and `aq-strength` 1.05: it gives SSIM for VMAF.)
  ///
  /// What counts is rate-distortion optimised mode decision (`subme=6`) without psychovisual bias, which
  /// spends bits on grain that the platform's own encode removes, and a sharper loop filter. Partitions
  /// of P frames cost a fifth of the time for nothing; `direct=auto` a sixth less for 0.0001 of SSIM.
  var tuning: (preset: String, parameters: String) {
    let usual = "no-psy=1:ref=1:aq-mode=2:aq-strength=0.8:deblock=-1,-1:mbtree=1"
    return switch effort {
    case .fast: ("superfast", usual + ":trellis=1:subme=2:partitions=i8x8")
    case .balanced: ("faster", usual + ":subme=6:partitions=i8x8:direct=auto")
    case .best: ("medium", usual + ":subme=8:trellis=2:partitions=i8x8,i4x4,b8x8")
    }
  }
}
