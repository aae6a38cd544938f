internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Whether a track is silent throughout the window. Stops at the first sound.
struct SilenceScan {
  let input: FilePath
  let track: AudioTrack
  let video: VideoSurvey
  let interrupt: Interrupt

  /// −80 dBFS: below the noise of any recording, above the rounding of 16 bits.
  private static let threshold: Float = 0.0001
  private static let sampleRate = 48_000

  func isSilent() throws(FFmpegError) -> Bool {
    let channels = track.channels == 1 ? 1 : 2
    let (start, end) = (video.frames.start, video.frames.last)
    let samples = ((end - start).seconds * Ratio(Int64(Self.sampleRate))).ceiling
    var plan = AudioPlan(
      streams: [track.index], sampleRate: Self.sampleRate, channels: channels,
      bitRate: BitsPerSecond(0), samples: samples)
    plan.sourceClock = video.clock
    let source = try AudioSource.open(
      input, stream: track.index, plan: plan, origin: start, interrupt: interrupt)
    var left = samples
    while left > 0 {
      let part = Int(min(left, 48_000))
      if try source.take(part).peakAmplitude > Self.threshold { return false }
      left -= Int64(part)
    }
    return true
  }
}
