import ReelsModel

@testable import ReelsPrep

/// A source as an inspection would describe it, by default 90 s of portrait HD at 30 with sound.
struct Source {
  var name = "clip.mov"
  var size = PixelSize(width: 1080, height: 1920)
  var sampleAspect = Ratio(1)
  var orientation = Orientation.upright
  var pixels = PixelFormatInfo.yuv420p
  var color = ColorDescription.bt709
  /// nil is a variable rate.
  var rate: Ratio? = Ratio(30)
  var medianInterval: Ratio?
  /// Seconds, from the window's start on.
  var seconds = Ratio(90)
  /// Where the window begins, in seconds from the first frame.
  var start = Ratio(0)
  var isInterlaced = false
  var peakLuminance: Double?
  var audio: [AudioSurvey] = [Source.track(1)]
  /// What the header claims, in seconds.
  var claimed: Ratio?
  var codec = "h264"

  static func track(
    _ index: Int, rate: Int = 48_000, channels: Int = 2, isDefault: Bool = false,
    isDecodable: Bool = true, isSilent: Bool? = nil, codec: String = "aac"
  ) -> AudioSurvey {
    AudioSurvey(
      track: AudioTrack(
        index: index, codec: codec, profile: nil, sampleRate: rate, channels: channels,
        channelLayout: channels == 1 ? "mono" : "stereo", language: nil, isDefault: isDefault,
        isDecodable: isDecodable, tag: "mp4a"),
      isSilent: isSilent)
  }

  /// As far as the survey of a window of `wanted` seconds goes.
  func info(wanted: Ratio) -> MediaInfo {
    let track = VideoTrack(
      index: 0, codec: codec, profile: "High", size: size, isDefault: true, isDecodable: true,
      tag: "avc1")
    let interval = medianInterval ?? rate?.inverted ?? Ratio(1, 30)
    let inside = max(Ratio(0), min(seconds, wanted))
    let first = MediaTime(seconds: Ratio(7, 5))
    let begin = first + MediaTime(seconds: start)
    let count = Int((inside / interval).ceiling)
    let entries = (0...Int(inside.floor)).map { second in
      let time = begin + MediaTime(seconds: Int64(second))
      return EntryPoint(pts: time, dts: time)
    }
    let survey = VideoSurvey(
      track: track, timeBase: Ratio(1, 90_000), firstFrame: first,
      frames: FrameTimes(
        start: begin, count: count,
        last: begin + MediaTime(seconds: interval * Ratio(Int64(max(0, count - 1)))),
        entries: entries),
      constantRate: rate, medianInterval: MediaTime(seconds: interval),
      end: seconds <= wanted ? begin + MediaTime(seconds: seconds) : nil, codedSize: size,
      sampleAspect: sampleAspect, bitstreamAspect: nil, orientation: orientation,
      pixelFormat: pixels, color: color, isInterlaced: isInterlaced, peakLuminance: peakLuminance,
      dolbyVisionProfile: nil)
    return MediaInfo(
      path: FilePath(name), bytes: ByteCount(1_000_000), container: "mov",
      claimedDuration: claimed.map { MediaTime(seconds: $0) },
      videoTracks: [track], audioTracks: audio.map(\.track), otherTracks: [], video: survey,
      audio: audio)
  }

  private static let presets = Dictionary(
    uniqueKeysWithValues: Presets.names.map { name in (name, Result { try Presets.load(name) }) })

  func plan(
    preset: String = "reels", _ change: (inout Request) -> Void = { _ in }
  ) throws -> Plan {
    var request = Request(input: FilePath(name), outputDirectory: ".")
    change(&request)
    let preset = try Self.presets[preset]?.get() ?? Presets.load(preset)
    let asked = request.duration ?? request.end.map { $0 - (request.start ?? .zero) }
    let most = Ratio(approximating: preset.limits.durationSeconds.value.maximum)
    return try Planner(
      request: request, info: info(wanted: min(asked?.seconds ?? most, most)), preset: preset
    ).plan()
  }
}

extension PixelFormatInfo {
  static let yuv420p = PixelFormatInfo(
    name: "yuv420p", bitDepth: 8, hasAlpha: false, isRGB: false, chromaShiftX: 1, chromaShiftY: 1)
  static let yuv420p10 = PixelFormatInfo(
    name: "yuv420p10le", bitDepth: 10, hasAlpha: false, isRGB: false, chromaShiftX: 1,
    chromaShiftY: 1)
  static let gbrp = PixelFormatInfo(
    name: "gbrp", bitDepth: 8, hasAlpha: false, isRGB: true, chromaShiftX: 0, chromaShiftY: 0)
}
