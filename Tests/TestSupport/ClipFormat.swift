/// How a synthesised clip is encoded and wrapped.
package struct ClipFormat: Sendable, CustomStringConvertible {
  package enum Container: String, Sendable, CaseIterable {
    case mp4, mov, mkv, webm, ts
  }
  package enum VideoCodec: String, Sendable, CaseIterable {
    case h264, vp8, vp9
  }
  package enum AudioCodec: String, Sendable, CaseIterable {
    case aac, pcm, vorbis
    /// FFmpeg 5.1 counts Opus's delay of 312 samples twice when it writes WebM: sound is 6.5 ms early
    /// in the file. Vorbis is where it should be.
    case opus
  }

  package var container: Container
  package var videoCodec: VideoCodec
  package var audioCodec: AudioCodec
  /// Frames from one key frame to the next.
  package var gopFrames: Int
  /// B-frames in a row, with H.264.
  package var bFrames: Int
  /// Constant rate factor: with H.264, 18 is good and 30 is poor.
  package var crf: Int
  /// Output options of the ffmpeg command that follow, and so override, all others.
  package var extra: [String]

  /// - Parameters:
  ///   - videoCodec: nil is VP9 in WebM and H.264 elsewhere.
  ///   - audioCodec: nil is Vorbis in WebM, PCM in MOV and AAC elsewhere.
  package init(
    _ container: Container = .mp4, videoCodec: VideoCodec? = nil, audioCodec: AudioCodec? = nil,
    gopFrames: Int = 30, bFrames: Int = 2, crf: Int = 18, extra: [String] = []
  ) {
    self.container = container
    self.videoCodec = videoCodec ?? (container == .webm ? .vp9 : .h264)
    self.audioCodec =
      audioCodec ?? (container == .webm ? .vorbis : container == .mov ? .pcm : .aac)
    self.gopFrames = gopFrames
    self.bFrames = bFrames
    self.crf = crf
    self.extra = extra
  }

  package var description: String {
    "\(container.rawValue) with \(videoCodec.rawValue) and \(audioCodec.rawValue)"
  }

  /// A file name with the container's extension.
  package func fileName(_ stem: String = "clip") -> String { "\(stem).\(container.rawValue)" }

  var videoArguments: [String] {
    let codec =
      switch videoCodec {
      case .h264:
        [
          "-c:v", "libx264", "-preset", "superfast", "-crf", "\(crf)", "-bf", "\(bFrames)",
          "-sc_threshold", "0", "-keyint_min", "\(gopFrames)",
        ]
      case .vp8:
        ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-crf", "10", "-b:v", "2M"]
      case .vp9:
        [
          "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-row-mt", "1", "-crf",
          "24", "-b:v", "0",
        ]
      }
    return codec + [
      "-g", "\(gopFrames)", "-pix_fmt", "yuv420p", "-color_range", "tv", "-colorspace", "bt709",
      "-color_primaries", "bt709", "-color_trc", "bt709", "-threads", "2",
    ]
  }

  var audioArguments: [String] {
    switch audioCodec {
    case .aac: ["-c:a", "aac", "-b:a", "128k"]
    case .pcm: ["-c:a", "pcm_s16le"]
    case .vorbis: ["-c:a", "libvorbis", "-q:a", "5"]
    case .opus: ["-c:a", "libopus", "-b:a", "128k"]
    }
  }

  var containerArguments: [String] {
    switch container {
    case .mp4, .mov: ["-video_track_timescale", "90000", "-movie_timescale", "90000"]
    case .mkv, .webm, .ts: []
    }
  }
}
