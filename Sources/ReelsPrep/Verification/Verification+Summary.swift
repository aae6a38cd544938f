package import ReelsModel

extension Verification {
  /// What a checked file is, for the manifest: read from the file, not from the plan.
  package struct Summary: Hashable, Sendable {
    package var size: PixelSize
    package var frameRate: Ratio
    package var frames: Int
    /// Of the stream that ends last.
    package var duration: MediaTime
    /// "h264".
    package var videoCodec: String
    /// As in "High".
    package var profile: String
    /// As in "4.0".
    package var level: String
    /// "aac".
    package var audioCodec: String
    /// Hertz.
    package var sampleRate: Int
    package var channels: Int
    package var bytes: ByteCount
    /// Of the whole file.
    package var bitRate: BitsPerSecond

    init?(_ evidence: Evidence) {
      guard let video = evidence.videoTimeline, let audio = evidence.audioTimeline,
        let set = evidence.sequences.first, let configuration = evidence.audioConfiguration,
        let rate = video.averageRate
      else { return nil }
      let duration = max(video.end, audio.end)
      guard duration > .zero else { return nil }
      self.size = set.size
      self.frameRate = rate
      self.frames = video.samples.count
      self.duration = duration
      self.videoCodec = evidence.video?.videoCodec ?? ""
      self.profile = set.profileName
      self.level = set.levelName ?? "\(set.levelNumber)"
      self.audioCodec = configuration.isAACLowComplexity ? "aac" : configuration.name
      self.sampleRate = configuration.sampleRate
      self.channels = configuration.channels ?? 0
      self.bytes = ByteCount(evidence.file.byteCount)
      self.bitRate = BitsPerSecond(
        (Ratio(evidence.file.byteCount) * Ratio(8) / duration.seconds).rounded)
    }
  }
}
