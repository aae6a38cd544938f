internal import ReelsModel

/// Names the rule behind each step of a plan, and what the user should know.
struct PlanReasons {
  let survey: VideoSurvey
  let video: VideoPlan
  let audio: AudioPlan
  let info: MediaInfo
  var decision = CopyDecision()
  /// Whether an encode was asked for where a copy would do.
  var isForced = false

  /// The steps, video first.
  var steps: [Plan.Step] {
    videoSteps + [audioStep]
      + [
        Plan.Step(
          action: .remux, stream: .container, rule: .moovFirst,
          because: "MP4 with its index first, no edit list and none of the source's metadata"),
        Plan.Step(
          action: .encode, stream: .cover, rule: .cover, because: "a frame of the clip as JPEG"),
      ]
  }

  private var videoSteps: [Plan.Step] {
    if let copy = video.copy {
      let tags = copy.addsColorTags ? ", with its colours tagged in the parameter sets" : ""
      return [
        Plan.Step(
          action: .copy, stream: .video, rule: .videoCodec,
          because: "\(survey.track.codec) that keeps every rule: \(video.frames) frames as they "
            + "are\(tags)")
      ]
    }
    // Encoded, anything but H.264 becomes H.264.
    let obstacles = videoObstacles(copying: ["h264"])
    if !obstacles.isEmpty { return obstacles }
    if case .blocked(let obstacle) = decision.video {
      return [
        Plan.Step(
          action: .encode, stream: .video, rule: obstacle.rule, because: obstacle.because)
      ]
    }
    return [
      Plan.Step(
        action: .encode, stream: .video, rule: .closedGOP,
        because: isForced
          ? "--reencode asks for it" : "encoded for closed GOPs of at most 2 s under the cap")
    ]
  }

  /// What forces an encode, as far as the first frames and the time stamps show it.
  ///
  /// - Parameter codecs: those that may stay.
  func videoObstacles(copying codecs: [String]) -> [Plan.Step] {
    var steps: [Plan.Step] = []
    func add(_ rule: Rule, _ because: String) {
      steps.append(Plan.Step(action: .encode, stream: .video, rule: rule, because: because))
    }
    let pixels = survey.pixelFormat
    if !codecs.contains(survey.track.codec) {
      add(.videoCodec, "\(survey.track.codec) becomes H.264")
    }
    if pixels.bitDepth > 8 || pixels.chromaShiftX != 1 || pixels.chromaShiftY != 1 {
      add(.pixelFormat, "\(pixels.name) becomes 8-bit 4:2:0")
    }
    if video.color.toneMap != .none {
      let curve = survey.color.transfer == .hlg ? "HLG" : "PQ"
      add(
        .colorTags,
        "\(curve) is tone-mapped to SDR: BT.2390, from a peak of "
          + "\(Int(video.color.peakLuminance)) cd/m² to a white of 203 cd/m²")
    } else if survey.color != .bt709, !(survey.color.isUntagged && video.color.source == .bt709) {
      add(.colorTags, "colours become BT.709, limited range")
    }
    if survey.isInterlaced { add(.progressive, "interlaced frames are deinterlaced (bwdif)") }
    if survey.orientation != .upright { add(.upright, "the picture is \(survey.orientation)") }
    if survey.sampleAspect != Ratio(1) {
      add(.squarePixels, "pixels of \(survey.sampleAspect) become square")
    }
    if let content = survey.content {
      add(.frameSize, "black borders are cut away: \(content) of \(survey.codedSize) is used")
    }
    let display = survey.displaySize
    if video.geometry.canvas != display {
      add(
        .frameSize, "\(display) becomes \(video.geometry.canvas) (\(video.geometry.fit.rawValue))")
    }
    if survey.constantRate != video.frameRate {
      let from = survey.constantRate.map { "\(Self.rate($0)) fps" } ?? "a variable rate"
      add(.constantFrameRate, "\(from) becomes \(Self.rate(video.frameRate)) fps")
    }
    return steps
  }

  private var audioStep: Plan.Step {
    guard !audio.streams.isEmpty else {
      return Plan.Step(
        action: .silence, stream: .audio, rule: .audioCodec, because: "a silent AAC track")
    }
    let tracks = info.audioTracks.filter { audio.streams.contains($0.index) }
    let from = tracks.map { track in
      "\(track.codec) \(track.sampleRate) Hz \(track.channelLayout)"
    }.joined(separator: " + ")
    let layout = audio.channels == 1 ? "mono" : "stereo"
    if audio.copy != nil {
      return Plan.Step(
        action: .copy, stream: .audio, rule: .audioCodec,
        because:
          "AAC-LC \(audio.sampleRate) Hz \(layout) as it is, its packets begin with the picture")
    }
    var rule = Rule.audioCodec
    var why = isForced ? "--reencode asks for it" : "cut with the picture"
    if case .blocked(let obstacle) = decision.audio {
      (rule, why) = (obstacle.rule, obstacle.because)
    }
    return Plan.Step(
      action: .encode, stream: .audio, rule: rule,
      because: "\(from) becomes AAC-LC \(audio.sampleRate) Hz \(layout): \(why)")
  }

  func warnings(request: Request, rate: Ratio) -> [Warning] {
    var warnings: [Warning] = []
    // Of a clock that begins anew, libav makes no length.
    if let claimed = info.claimedDuration, let end = survey.end, survey.clock.restarts.isEmpty {
      let length = end - survey.firstFrame
      if claimed - length > Self.earlyEnd {
        warnings.append(
          Warning(
            code: "ends-early",
            sentence:
              "the picture ends at \(length) s, the header claims \(claimed) s: the file may be "
              + "cut off"))
      }
    }
    if let lost = survey.lostStart, lost >= Self.lateStart {
      warnings.append(
        Warning(
          code: "starts-late",
          sentence:
            "the first \(lost.decimals(1)) s of the picture cannot be decoded, or lie before the "
            + "file's time 0, and are left out"))
    }
    if let gaps = survey.gaps {
      let others = gaps.count > 1 ? ", the longest of \(gaps.count) such times" : ""
      warnings.append(
        Warning(
          code: "frame-gaps",
          sentence: "the source has no frames for \(gaps.length.decimals(1)) s at "
            + "\((gaps.start - survey.firstFrame).decimals(1)) s\(others): the picture stands still there"
        ))
    }
    let restarts = video.sourceClock.restarts[video.stream, default: []]
      .filter { $0.time > video.start && $0.time <= video.last }
    if let first = restarts.first {
      let others = restarts.count > 1 ? ", the first of \(restarts.count) such times" : ""
      warnings.append(
        Warning(
          code: "clock-restarts",
          sentence: "the source's clock begins anew at "
            + "\((first.time - survey.firstFrame).decimals(1)) s\(others), as where files were joined: "
            + "what follows is shown right after"))
    }
    for (index, track) in info.audioTracks.enumerated() where !track.isDecodable {
      warnings.append(
        Warning(
          code: "audio-undecodable",
          sentence:
            "audio track \(index + 1) (\(track.codec)) cannot be decoded by this FFmpeg and is left out"
        ))
    }
    if audio.streams.isEmpty, request.audio != .none {
      warnings.append(
        Warning(
          code: "no-sound", sentence: "no usable sound: the payload has a silent track"))
    }
    if info.audioTracks.count > 1, let first = audio.streams.first,
      let number = info.audioTracks.firstIndex(where: { $0.index == first })
    {
      let which =
        audio.streams.count > 1 ? "\(audio.streams.count) tracks are mixed" : "track \(number + 1)"
      warnings.append(
        Warning(
          code: "audio-tracks",
          sentence: "of \(info.audioTracks.count) audio tracks: \(which); --audio N chooses"))
    }
    if info.videoTracks.count > 1 {
      warnings.append(
        Warning(
          code: "video-tracks",
          sentence: "of \(info.videoTracks.count) video tracks, stream \(video.stream) is used"))
    }
    return warnings
  }

  /// Leading pictures of an open GOP, which nobody shows, are fewer.
  private static let lateStart = MediaTime(seconds: Ratio(1, 2))

  /// Sound may end a little after the picture; more than this is worth saying.
  private static let earlyEnd = MediaTime(seconds: 1)

  /// "29.97" for 30000/1001.
  static func rate(_ rate: Ratio) -> String {
    rate.den == 1 ? "\(rate.num)" : MediaTime(seconds: rate).decimals(2)
  }
}

extension PlanReasons {
  /// - Returns: nil where there is no usable video.
  init?(_ plan: Plan, info: MediaInfo) {
    guard let survey = info.video else { return nil }
    self.init(survey: survey, video: plan.video, audio: plan.audio, info: info)
  }
}
