/// What an input is: read from its headers, its packets and its first decoded frame.
public struct MediaInfo: Hashable, Sendable, Codable {
  public var path: FilePath
  public var bytes: ByteCount
  /// The demuxer's name, as in "mov" or "matroska".
  public var container: String
  /// The length that the header claims; nil where it claims none. It may lie.
  public var claimedDuration: MediaTime?
  public var videoTracks: [VideoTrack]
  public var audioTracks: [AudioTrack]
  /// Tracks that are neither, as in "data" or "subtitle", and attached pictures.
  public var otherTracks: [String]
  /// What the survey of the chosen video track found; nil where there is no usable video.
  public var video: VideoSurvey?
  /// What the survey of each audio track found, in the order of `audioTracks`.
  public var audio: [AudioSurvey]

  public init(
    path: FilePath, bytes: ByteCount, container: String, claimedDuration: MediaTime?,
    videoTracks: [VideoTrack], audioTracks: [AudioTrack], otherTracks: [String],
    video: VideoSurvey?, audio: [AudioSurvey]
  ) {
    self.path = path
    self.bytes = bytes
    self.container = container
    self.claimedDuration = claimedDuration
    self.videoTracks = videoTracks
    self.audioTracks = audioTracks
    self.otherTracks = otherTracks
    self.video = video
    self.audio = audio
  }
}

/// A video track as its header describes it.
public struct VideoTrack: Hashable, Sendable, Codable {
  /// Its index among all streams of the container.
  public var index: Int
  public var codec: String
  public var profile: String?
  public var size: PixelSize
  public var isDefault: Bool
  public var isDecodable: Bool
  /// The four-character code or tag of the codec, for a track that no decoder knows.
  public var tag: String

  public init(
    index: Int, codec: String, profile: String?, size: PixelSize, isDefault: Bool,
    isDecodable: Bool, tag: String
  ) {
    self.index = index
    self.codec = codec
    self.profile = profile
    self.size = size
    self.isDefault = isDefault
    self.isDecodable = isDecodable
    self.tag = tag
  }
}

/// An audio track as its header describes it.
public struct AudioTrack: Hashable, Sendable, Codable {
  /// Its index among all streams of the container.
  public var index: Int
  public var codec: String
  public var profile: String?
  /// Hertz.
  public var sampleRate: Int
  public var channels: Int
  public var channelLayout: String
  public var language: String?
  public var isDefault: Bool
  public var isDecodable: Bool
  public var tag: String
  /// The parts of its edit list where there are several: libav follows one, and cuts more at packets.
  public var edits: [AudioEdit]?

  public init(
    index: Int, codec: String, profile: String?, sampleRate: Int, channels: Int,
    channelLayout: String, language: String?, isDefault: Bool, isDecodable: Bool, tag: String
  ) {
    self.index = index
    self.codec = codec
    self.profile = profile
    self.sampleRate = sampleRate
    self.channels = channels
    self.channelLayout = channelLayout
    self.language = language
    self.isDefault = isDefault
    self.isDecodable = isDecodable
    self.tag = tag
  }
}

/// The chosen video track, as its packets inside the window and its first decoded frame show it.
///
/// Times here are the file's own; T = 0 is `firstFrame`.
public struct VideoSurvey: Hashable, Sendable, Codable {
  public var track: VideoTrack
  /// Seconds of one tick of the track's time stamps.
  public var timeBase: Ratio
  /// The presentation time of the first frame that decodes.
  public var firstFrame: MediaTime
  /// How much of the track comes before its first frame that decodes; nil for none.
  public var lostStart: MediaTime?
  /// Where the window has no frames for much longer than usual.
  public var gaps: FrameGaps?
  /// Times whose frames the container lost.
  public var lost: [LostSpan] = []
  /// What the packets' time stamps mean.
  public var clock = SourceClock()
  /// The presentation times from the frame on show at the window's start, sorted, without repeats.
  public var frames: FrameTimes
  /// Where frame intervals are equal within the time stamps' own rounding, the rate.
  public var constantRate: Ratio?
  /// Where it is not constant and yet even enough for a copy, the rate (`Cadence.evenRate`).
  public var evenRate: Ratio?
  /// The interval that half of the frames do not exceed.
  public var medianInterval: MediaTime?
  /// The end of the last frame, where the survey reached the end of the track.
  public var end: MediaTime?
  /// The stored size of the first decoded frame, before orientation and aspect ratio.
  public var codedSize: PixelSize
  /// What of it lies inside black borders, where these were looked for and found.
  public var content: PixelRect?
  /// Sample aspect ratio, by container or bitstream; 1 where the file states none.
  public var sampleAspect: Ratio
  /// What the bitstream alone states.
  public var bitstreamAspect: Ratio?
  public var orientation: Orientation
  public var pixelFormat: PixelFormatInfo
  public var color: ColorDescription
  public var isInterlaced: Bool
  /// The peak of the mastering display or content light level, in cd/m², where the file states it.
  public var peakLuminance: Double?
  /// Dolby Vision profile, where the file states one.
  public var dolbyVisionProfile: Int?

  public init(
    track: VideoTrack, timeBase: Ratio, firstFrame: MediaTime, frames: FrameTimes,
    constantRate: Ratio?, medianInterval: MediaTime?, end: MediaTime?, codedSize: PixelSize,
    sampleAspect: Ratio, bitstreamAspect: Ratio?, orientation: Orientation,
    pixelFormat: PixelFormatInfo, color: ColorDescription, isInterlaced: Bool,
    peakLuminance: Double?, dolbyVisionProfile: Int?
  ) {
    self.track = track
    self.timeBase = timeBase
    self.firstFrame = firstFrame
    self.frames = frames
    self.constantRate = constantRate
    self.medianInterval = medianInterval
    self.end = end
    self.codedSize = codedSize
    self.sampleAspect = sampleAspect
    self.bitstreamAspect = bitstreamAspect
    self.orientation = orientation
    self.pixelFormat = pixelFormat
    self.color = color
    self.isInterlaced = isInterlaced
    self.peakLuminance = peakLuminance
    self.dolbyVisionProfile = dolbyVisionProfile
  }
}

/// The presentation times of the frames in the surveyed window.
public struct FrameTimes: Hashable, Sendable, Codable {
  /// The pts of the frame on show at the requested start.
  public var start: MediaTime
  /// The count of distinct time stamps from `start` to the end of the survey.
  public var count: Int
  /// The pts of the last of them.
  public var last: MediaTime
  /// Where decoding can begin, in order: the first shows the frame at `start`, the others lie inside
  /// the window, half a second or more apart.
  public var entries: [EntryPoint]

  public init(start: MediaTime, count: Int, last: MediaTime, entries: [EntryPoint]) {
    self.start = start
    self.count = count
    self.last = last
    self.entries = entries
  }
}

/// Times for which a window has no frames, and the one before is held.
public struct FrameGaps: Hashable, Sendable, Codable {
  public var count: Int
  /// The longest one's beginning, in the file's own time, and its length.
  public var start: MediaTime
  public var length: MediaTime

  public init(count: Int, start: MediaTime, length: MediaTime) {
    self.count = count
    self.start = start
    self.length = length
  }

  /// Half a second at least, and four usual intervals.
  package static func least(usual: MediaTime?) -> MediaTime {
    MediaTime(seconds: max(Ratio(1, 2), (usual?.seconds ?? Ratio(0)) * Ratio(4)))
  }

  /// - Parameter times: sorted, in ticks.
  public init?(times: [Int64], timeBase: Ratio, usual: MediaTime?) {
    let least = Self.least(usual: usual)
    let gaps = zip(times, times.dropFirst()).map { (start: $0, length: $1 - $0) }
      .filter { MediaTime(ticks: $0.length, timeBase: timeBase) >= least }
    guard let longest = gaps.max(by: { $0.length < $1.length }) else { return nil }
    self.init(
      count: gaps.count, start: MediaTime(ticks: longest.start, timeBase: timeBase),
      length: MediaTime(ticks: longest.length, timeBase: timeBase))
  }
}

/// A key frame at which decoding can begin, in the file's own time.
public struct EntryPoint: Hashable, Sendable, Codable {
  /// When it is shown.
  public var pts: MediaTime
  /// When it is decoded, at or before `pts`: where to seek to.
  public var dts: MediaTime

  public init(pts: MediaTime, dts: MediaTime) {
    self.pts = pts
    self.dts = dts
  }
}

/// How pixels are stored.
public struct PixelFormatInfo: Hashable, Sendable, Codable {
  /// libavutil's name, as in "yuv420p10le".
  public var name: String
  public var bitDepth: Int
  public var hasAlpha: Bool
  public var isRGB: Bool
  /// log2 of how many luma columns and rows share a chroma sample.
  public var chromaShiftX: Int
  public var chromaShiftY: Int

  public init(
    name: String, bitDepth: Int, hasAlpha: Bool, isRGB: Bool, chromaShiftX: Int, chromaShiftY: Int
  ) {
    self.name = name
    self.bitDepth = bitDepth
    self.hasAlpha = hasAlpha
    self.isRGB = isRGB
    self.chromaShiftX = chromaShiftX
    self.chromaShiftY = chromaShiftY
  }
}

/// An audio track as its packets show it.
public struct AudioSurvey: Hashable, Sendable, Codable {
  public var track: AudioTrack
  /// Whether every sample inside the window is below −80 dBFS; nil where it was not scanned.
  public var isSilent: Bool?

  public init(track: AudioTrack, isSilent: Bool?) {
    self.track = track
    self.isSilent = isSilent
  }
}
