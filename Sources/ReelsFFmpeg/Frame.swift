internal import CReelsFFmpeg
package import ReelsModel

/// A decoded picture, or a run of decoded samples. Copies share the data by reference count.
package struct Frame: ~Copyable, @unchecked Sendable {
  // Sound to send: the pointer has one owner, and libav's buffers are reference counted atomically
  // and written only by `makeWritable` holders.
  let pointer: UnsafeMutablePointer<AVFrame>

  /// An empty frame (`av_frame_alloc`).
  package init() throws(FFmpegError) {
    pointer = try allocated(av_frame_alloc(), "frame")
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }

  /// Another reference to the same data (`av_frame_clone`).
  package func shared() throws(FFmpegError) -> Frame {
    let copy = try Frame()
    try check(av_frame_ref(copy.pointer, pointer), "share", "frame")
    return copy
  }

  /// In ticks of whoever made the frame; nil where it is unknown.
  package var pts: Int64? {
    get { timestamp(pointer.pointee.pts) }
    nonmutating set { pointer.pointee.pts = newValue ?? rp_no_pts }
  }

  /// The decoder's best knowledge of the presentation time, from pts or dts.
  package var bestPTS: Int64? {
    timestamp(pointer.pointee.best_effort_timestamp) ?? timestamp(pointer.pointee.pts)
  }

  /// In ticks; 0 where it is unknown.
  package var duration: Int64 { rp_frame_duration(pointer) }

  package var isInterlaced: Bool { rp_frame_is_interlaced(pointer) != 0 }

  /// Whether the decoder had to conceal errors in it.
  package var isDamaged: Bool {
    pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 || pointer.pointee.decode_error_flags != 0
  }

  package var size: PixelSize {
    PixelSize(width: Int(pointer.pointee.width), height: Int(pointer.pointee.height))
  }

  /// What the encoder is told to do with the picture; a filter may have left the source's choice.
  package func forgetPictureType() {
    pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
    rp_frame_clear_interlaced(pointer)
  }

  /// Tells the encoder what a first pass has decided, in the place of anything said before: the
  /// picture's type, and the quality of each macroblock by regions of interest.
  package func guide(
    by decision: FirstPass.Decision, grid: FirstPass.Grid
  ) throws(FFmpegError) {
    pointer.pointee.pict_type =
      switch decision.kind {
      case .intra: AV_PICTURE_TYPE_I
      case .predicted: AV_PICTURE_TYPE_P
      case .bidirectional: AV_PICTURE_TYPE_B
      }
    av_frame_remove_side_data(pointer, AV_FRAME_DATA_REGIONS_OF_INTEREST)
    guard !decision.tree.isEmpty else { return }
    let (columns, rows) = (size.macroblocks.columns, size.macroblocks.rows)
    let stride = MemoryLayout<AVRegionOfInterest>.stride
    let data = try allocated(
      av_frame_new_side_data(
        pointer, AV_FRAME_DATA_REGIONS_OF_INTEREST, columns * rows * stride), "frame")
    data.pointee.data.withMemoryRebound(to: AVRegionOfInterest.self, capacity: columns * rows) {
      regions in
      for row in 0..<rows {
        let line = grid.line(row, of: size)
        for column in 0..<columns {
          let offset = grid.offset(decision.tree, column, line, of: size)
          regions[row * columns + column] = AVRegionOfInterest(
            self_size: UInt32(stride),
            top: Int32(row * 16), bottom: Int32(min(row * 16 + 16, size.height)),
            left: Int32(column * 16), right: Int32(min(column * 16 + 16, size.width)),
            // libavcodec's unit is the whole range of 51 quantiser steps.
            qoffset: AVRational(num: Int32((offset * 256).rounded()), den: 51 * 256))
        }
      }
    }
  }

  /// nil where the bitstream states none.
  package var sampleAspect: Ratio? {
    Ratio(pointer.pointee.sample_aspect_ratio).flatMap { $0.isPositive ? $0 : nil }
  }

  /// The colours as the bitstream and container tag them; reserved values are unspecified.
  package var color: ColorDescription {
    let frame = pointer.pointee
    let range: ColorRange =
      switch frame.color_range {
      case AVCOL_RANGE_JPEG: .full
      case AVCOL_RANGE_MPEG: .limited
      default: .unspecified
      }
    func known(_ value: UInt32, _ name: UnsafePointer<CChar>?, isMatrix: Bool = false) -> Int {
      // 0 is RGB among the matrices, and reserved elsewhere.
      name != nil && value != 3 && (value != 0 || isMatrix) ? Int(value) : 2
    }
    let primaries = frame.color_primaries.rawValue
    let transfer = frame.color_trc.rawValue
    let matrix = frame.colorspace.rawValue
    return ColorDescription(
      primaries: .init(
        rawValue: known(primaries, av_color_primaries_name(frame.color_primaries))),
      transfer: .init(rawValue: known(transfer, av_color_transfer_name(frame.color_trc))),
      matrix: .init(rawValue: known(matrix, av_color_space_name(frame.colorspace), isMatrix: true)),
      range: range)
  }

  /// nil for a format that libavutil does not describe.
  package var pixelFormat: PixelFormatInfo? {
    let format = AVPixelFormat(pointer.pointee.format)
    guard let descriptor = av_pix_fmt_desc_get(format), let name = av_get_pix_fmt_name(format)
    else { return nil }
    let flags = descriptor.pointee.flags
    let isPalette = flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
    return PixelFormatInfo(
      name: String(cString: name), bitDepth: Int(descriptor.pointee.comp.0.depth),
      hasAlpha: flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 || isPalette,
      isRGB: flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 || isPalette,
      chromaShiftX: Int(descriptor.pointee.log2_chroma_w),
      chromaShiftY: Int(descriptor.pointee.log2_chroma_h))
  }

  /// The peak of the content or its mastering display in cd/m²; nil where the frame states none.
  package var peakLuminance: Double? {
    if let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL) {
      let level = UnsafeRawPointer(data.pointee.data)
        .loadUnaligned(as: AVContentLightMetadata.self)
      if level.MaxCLL > 0 { return Double(level.MaxCLL) }
    }
    if let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA) {
      let metadata = UnsafeRawPointer(data.pointee.data)
        .loadUnaligned(as: AVMasteringDisplayMetadata.self)
      if metadata.has_luminance != 0, let peak = Ratio(metadata.max_luminance), peak.isPositive {
        return peak.doubleValue
      }
    }
    return nil
  }

  /// The display matrix of the bitstream's own message (H.264 and H.265 display orientation SEI).
  package var orientation: Orientation? {
    guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX),
      data.pointee.size >= 9 * MemoryLayout<Int32>.size
    else { return nil }
    return Orientation(displayMatrix: data.pointee.data)
  }

  /// What a filter has said of the frame, as a number; nil where it has said none.
  package func number(_ key: String) -> Double? {
    av_dict_get(pointer.pointee.metadata, key, nil, 0)
      .flatMap { Double(String(cString: $0.pointee.value)) }
      .flatMap { $0.isFinite ? $0 : nil }
  }

  package var sampleCount: Int { Int(pointer.pointee.nb_samples) }
  package var sampleRate: Int { Int(pointer.pointee.sample_rate) }
}

/// What a filter graph's source has to know of the frames that it gets.
package struct VideoFormat: Hashable, Sendable {
  package var size: PixelSize
  package var pixelFormat: String
  package var timeBase: Ratio
}

/// As `VideoFormat`, for sound.
package struct AudioFormat: Hashable, Sendable {
  package var sampleRate: Int
  package var sampleFormat: String
  package var channelLayout: String

  package init(sampleRate: Int, sampleFormat: String, channelLayout: String) {
    self.sampleRate = sampleRate
    self.sampleFormat = sampleFormat
    self.channelLayout = channelLayout
  }
}

extension Frame {
  package func videoFormat(timeBase: Ratio) -> VideoFormat {
    let name = av_get_pix_fmt_name(AVPixelFormat(pointer.pointee.format))
    return VideoFormat(
      size: size, pixelFormat: name.map { String(cString: $0) } ?? "none", timeBase: timeBase)
  }

  package var audioFormat: AudioFormat {
    let format = av_get_sample_fmt_name(AVSampleFormat(pointer.pointee.format))
    var layout = pointer.pointee.ch_layout
    // A layout without a known order is taken as the usual one for its number of channels.
    if layout.order == AV_CHANNEL_ORDER_UNSPEC {
      av_channel_layout_default(&layout, pointer.pointee.ch_layout.nb_channels)
    }
    return AudioFormat(
      sampleRate: sampleRate, sampleFormat: format.map { String(cString: $0) } ?? "none",
      channelLayout: Demuxer.describe(layout))
  }
}

extension Frame {
  /// Of the first channel's planar float samples.
  package var meanSquare: Double {
    guard let plane = pointer.pointee.extended_data?[0], sampleCount > 0 else { return 0 }
    return plane.withMemoryRebound(to: Float.self, capacity: sampleCount) { samples in
      var sum = 0.0
      for index in 0..<sampleCount { sum += Double(samples[index] * samples[index]) }
      return sum / Double(sampleCount)
    }
  }

  /// The largest magnitude among planar float samples; 1 is full scale.
  package var peakAmplitude: Float {
    guard let planes = pointer.pointee.extended_data else { return 0 }
    var peak: Float = 0
    for channel in 0..<Int(pointer.pointee.ch_layout.nb_channels) {
      guard let plane = planes[channel] else { continue }
      plane.withMemoryRebound(to: Float.self, capacity: sampleCount) { samples in
        for index in 0..<sampleCount { peak = max(peak, abs(samples[index])) }
      }
    }
    return peak
  }
}
