internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Looks for the least that has to be done to each stream: copied where every rule already holds, else
/// encoded. Reads the window's packets, and decodes nothing.
struct CopyLadder {
  let request: Request
  let preset: Preset
  let info: MediaInfo
  /// As it would be encoded.
  let plan: Plan
  /// Copies that were tried before and did not do.
  let refusals: [CopyRefusal]
  let interrupt: Interrupt

  /// - Throws: an interrupt. A stream whose packets cannot be read is encoded.
  func decision() throws(FFmpegError) -> CopyDecision {
    var decision = CopyDecision()
    guard !request.reencode, let survey = info.video else { return decision }
    decision.audio = try outcome { () throws(Stop) in try sound(survey) }
    decision.apply(refusals)
    if PlanReasons(plan, info: info)?.videoObstacles(copying: copied).isEmpty == true,
      !refusals.contains(where: { $0.stream == .video })
    {
      decision.video = try outcome { () throws(Stop) in
        try picture(survey, audio: decision.audio)
      }
    }
    if case .copies(let sound) = decision.audio, let obstacle = excess(of: sound, decision) {
      decision.audio = .blocked(obstacle)
    }
    return decision
  }

  /// Where the picture is encoded, rich sound would take what the picture needs.
  private func excess(
    of sound: CopyDecision.SoundCopy, _ decision: CopyDecision
  ) -> CopyDecision.Obstacle? {
    if case .copies = decision.video { return nil }
    let rate = Double(sound.bitRate.value)
    let cap = Double(plan.fileBytesBelow.value) * 8 / plan.window.duration.doubleValue
    let usual = max(Double(plan.audio.bitRate.value) * Self.richer, cap * Self.capShare)
    guard rate > min(usual, Self.mostSound) else { return nil }
    return CopyDecision.Obstacle(
      .fileSize, "\(sound.bitRate) is more than it may take from the picture")
  }

  /// Copied sound may have a tenth more than encoded sound, or a twentieth of the cap. Above 400 kbit/s the
  /// peak's reserve for sound would not do (`RateControl.vbv`).
  private static let (richer, capShare, mostSound) = (1.1, 0.05, 400_000.0)

  /// Why a look at a stream ended.
  enum Stop: Error {
    case obstacle(CopyDecision.Obstacle)
    case failed(FFmpegError)
  }

  private func outcome<Copy>(
    _ body: () throws(Stop) -> Copy
  ) throws(FFmpegError) -> CopyDecision.Outcome<Copy> {
    do throws(Stop) {
      return .copies(try body())
    } catch {
      switch error {
      case .obstacle(let obstacle): return .blocked(obstacle)
      case .failed(let error):
        if error.code == .interrupted { throw error }
        return .notTried
      }
    }
  }

  // MARK: Video

  private static let codecs: [String: ParameterSets.Codec] = ["h264": .h264, "hevc": .hevc]

  private var copied: [String] { preset.limits.copiedVideoCodecs.value }

  private func picture(
    _ survey: VideoSurvey, audio: CopyDecision.Outcome<CopyDecision.SoundCopy>
  ) throws(Stop) -> VideoCopy {
    let video = plan.video
    guard let codec = Self.codecs[survey.track.codec], copied.contains(survey.track.codec) else {
      throw .obstacle(
        CopyDecision.Obstacle(
          .videoCodec, "\(survey.track.codec) is not copied for \(preset.title)"))
    }
    let uncertain: String? =
      switch survey.clock.order {
      case .presentation: survey.clock.restarts.isEmpty ? nil : "its clock starts again"
      case .decoding: "its times may be of decoding, and frames may be shown in another order"
      case .missing: "its frames carry no times"
      }
    if let uncertain {
      throw .obstacle(CopyDecision.Obstacle(.constantFrameRate, uncertain))
    }
    guard video.frames == video.sourceFrames, survey.lost.isEmpty, survey.lostStart == nil
    else {
      throw .obstacle(
        CopyDecision.Obstacle(.constantFrameRate, "the source has gaps, or not enough frames"))
    }
    let scan = VideoCopyScan(
      input: request.input, codec: codec, video: video, limits: preset.limits, interrupt: interrupt)
    let found = try scan.scan()
    try fits(found, audio)
    return found.copy
  }

  /// Whether the file stays below its cap and its peak.
  private func fits(
    _ found: VideoCopyScan.Found, _ audio: CopyDecision.Outcome<CopyDecision.SoundCopy>
  ) throws(Stop) {
    let video = plan.video
    let seconds = (Ratio(Int64(video.frames)) / video.frameRate).doubleValue
    var soundRate = Double(plan.audio.bitRate.value) * Self.encodedSound
    var sampleRate = plan.audio.sampleRate
    if case .copies(let sound) = audio {
      soundRate = Double(sound.bitRate.value)
      sampleRate = sound.sampleRate
    }
    let packets = Int((seconds * Double(sampleRate)) / Double(AudioPacket.samples)) + 1
    let container = ContainerSize(
      frames: video.frames, frameRate: video.frameRate, audioPackets: packets,
      sampleRate: sampleRate
    ).bytes
    // A frame's own composition offset for each, where the source reorders freely.
    let bytes =
      found.copy.bytes + Int64(container + 4 * video.frames) + Int64(soundRate / 8 * seconds)
    guard bytes < plan.fileBytesBelow.value else {
      throw .obstacle(
        CopyDecision.Obstacle(
          .fileSize,
          "a copy would take \(ByteCount(bytes)), and \(plan.fileBytesBelow) is "
            + "the limit"))
    }
    let peak = Double(found.peakBytes) * 8 + soundRate * Self.soundPeak
    let limit = Double(preset.limits.peakBitsPerSecond.value)
    guard peak <= limit else {
      throw .obstacle(
        CopyDecision.Obstacle(
          .peakBitRate,
          "\(BitsPerSecond(Int64(peak))) in one second, and "
            + "\(BitsPerSecond(Int64(limit))) is the limit"))
    }
  }

  /// AAC at a constant rate takes a little more than it, and a second may take more than the mean.
  private static let (encodedSound, soundPeak) = (1.05, 1.5)

  // MARK: Sound

  private func sound(_ survey: VideoSurvey) throws(Stop) -> CopyDecision.SoundCopy {
    let audio = plan.audio
    guard audio.streams.count == 1, let stream = audio.streams.first,
      let track = info.audioTracks.first(where: { $0.index == stream })
    else {
      throw .obstacle(
        CopyDecision.Obstacle(
          .audioCodec, audio.streams.isEmpty ? "a silent AAC track" : "several tracks are mixed"))
    }
    if request.loudness != nil {
      throw .obstacle(CopyDecision.Obstacle(.audioCodec, "its loudness is changed"))
    }
    guard plan.video.frames == plan.video.sourceFrames else {
      throw .obstacle(
        CopyDecision.Obstacle(.duration, "the source is shorter than what is made of it"))
    }
    return try AudioCopyScan(
      input: request.input, track: track, start: plan.video.start,
      length: MediaTime(seconds: Ratio(Int64(plan.video.frames)) / plan.video.frameRate),
      clock: plan.audio.sourceClock, limits: preset.limits, interrupt: interrupt
    ).scan()
  }
}
