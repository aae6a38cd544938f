internal import CReelsFFmpeg
package import ReelsModel

extension Demuxer {
  /// Of more tracks than any real file has, no decoder is tried.
  private static let mostTried = 64

  package enum Track: Hashable, Sendable {
    case video(VideoTrack)
    case audio(AudioTrack)
    case attachedPicture
    case other(String)
  }

  /// Every stream as its header describes it.
  package var tracks: [Track] { (0..<streamCount).map { track($0) } }

  private func track(_ index: Int) -> Track {
    guard let stream = stream(index), let parameters = stream.pointee.codecpar else {
      return .other("unknown")
    }
    let codec = parameters.pointee
    let disposition = stream.pointee.disposition
    let isDefault = disposition & AV_DISPOSITION_DEFAULT != 0
    let isDecodable = avcodec_find_decoder(codec.codec_id) != nil
    switch codec.codec_type {
    case AVMEDIA_TYPE_VIDEO:
      let stills = AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS
      if disposition & stills != 0 { return .attachedPicture }
      return .video(
        VideoTrack(
          index: index, codec: Self.name(of: codec), profile: Self.profile(of: codec),
          size: PixelSize(width: Int(codec.width), height: Int(codec.height)),
          isDefault: isDefault, isDecodable: isDecodable, tag: Self.text(of: codec.codec_tag)))
    case AVMEDIA_TYPE_AUDIO:
      return .audio(
        AudioTrack(
          index: index, codec: Self.name(of: codec), profile: Self.profile(of: codec),
          sampleRate: Int(codec.sample_rate), channels: Int(codec.ch_layout.nb_channels),
          channelLayout: Self.describe(codec.ch_layout), language: metadata("language", of: stream),
          isDefault: isDefault,
          isDecodable: isDecodable && codec.sample_rate > 0
            && (index >= Self.mostTried || Decoder.opens(parameters)),
          tag: Self.text(of: codec.codec_tag)))
    default:
      let kind = av_get_media_type_string(codec.codec_type).map { String(cString: $0) }
      return .other(kind ?? "unknown")
    }
  }

  /// libav's name; of a codec that it does not know, the container's.
  private static func name(of codec: AVCodecParameters) -> String {
    let name = avcodec_get_name(codec.codec_id).map { String(cString: $0) } ?? "none"
    guard ["none", "unknown_codec"].contains(name) else { return name }
    let tag = text(of: codec.codec_tag).trimmed
    return tag.isEmpty ? "an unknown codec" : tag
  }

  private static func profile(of codec: AVCodecParameters) -> String? {
    avcodec_profile_name(codec.codec_id, codec.profile).map { String(cString: $0) }
  }

  private static func text(of tag: UInt32) -> String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * $0)) }
    return String(decoding: bytes.filter { (0x20..<0x7f).contains($0) }, as: UTF8.self)
  }

  static func describe(_ layout: AVChannelLayout) -> String {
    var layout = layout
    var buffer = [CChar](repeating: 0, count: 128)
    guard av_channel_layout_describe(&layout, &buffer, buffer.count) > 0 else { return "unknown" }
    return String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func metadata(_ key: String, of stream: UnsafeMutablePointer<AVStream>) -> String? {
    av_dict_get(stream.pointee.metadata, key, nil, 0).map { String(cString: $0.pointee.value) }
  }

  /// Whether WebM says that pictures have a second layer with their alpha.
  func hasAlphaLayer(_ index: Int) -> Bool {
    stream(index).flatMap { metadata("alpha_mode", of: $0) } == "1"
  }

  /// The time base of a stream's time stamps.
  package func timeBase(of index: Int) -> Ratio? {
    stream(index).flatMap { Ratio($0.pointee.time_base) }
  }

  /// The rate that the container states or libav guesses, for a stream whose packets say too
  /// little.
  package func statedFrameRate(of index: Int) -> Ratio? {
    guard let stream = stream(index) else { return nil }
    return Ratio(stream.pointee.avg_frame_rate).flatMap { $0.isPositive ? $0 : nil }
      ?? Ratio(stream.pointee.r_frame_rate).flatMap { $0.isPositive ? $0 : nil }
  }

  /// How many frames the container says the stream has; nil where it does not say.
  package func statedFrameCount(of index: Int) -> Int64? {
    stream(index).flatMap { $0.pointee.nb_frames > 0 ? $0.pointee.nb_frames : nil }
  }

  /// The stream's sample aspect ratio by container and codec (`av_guess_sample_aspect_ratio`).
  package func sampleAspect(of index: Int, frame: borrowing Frame) -> Ratio? {
    guard let stream = stream(index) else { return nil }
    let guess = av_guess_sample_aspect_ratio(context, stream, frame.pointer)
    return Ratio(guess).flatMap { $0.isPositive ? $0 : nil }
  }

  /// The display matrix of the container; nil where it has none.
  package func orientation(of index: Int) -> Orientation? {
    guard let stream = stream(index) else { return nil }
    var size = 0
    guard let data = rp_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size),
      size >= 9 * MemoryLayout<Int32>.size
    else { return nil }
    return Orientation(displayMatrix: data)
  }

  /// Whether the stream is encrypted (ISO/IEC 23001-7), so that a decoder would see noise.
  package func isEncrypted(_ index: Int) -> Bool {
    guard let stream = stream(index) else { return false }
    var size = 0
    return rp_stream_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, &size) != nil
      || rp_stream_side_data(stream, AV_PKT_DATA_ENCRYPTION_INFO, &size) != nil
      || ["encv", "enca"].contains(Self.text(of: stream.pointee.codecpar.pointee.codec_tag))
  }

  /// The Dolby Vision configuration; nil where there is none.
  package func dolbyVision(of index: Int) -> (profile: Int, compatibility: Int)? {
    guard let stream = stream(index) else { return nil }
    var size = 0
    guard let data = rp_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size),
      size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size
    else { return nil }
    let record = UnsafeRawPointer(data).loadUnaligned(as: AVDOVIDecoderConfigurationRecord.self)
    return (Int(record.dv_profile), Int(record.dv_bl_signal_compatibility_id))
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension Orientation {
  /// From nine 16.16 (and 2.30) fixed-point values, row by row: a b u, c d v, x y w.
  init(displayMatrix data: UnsafePointer<UInt8>) {
    let values = UnsafeRawPointer(data)
    func entry(_ index: Int) -> Double {
      Double(values.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
    }
    self.init(a: entry(0), b: entry(1), c: entry(3), d: entry(4))
  }
}
