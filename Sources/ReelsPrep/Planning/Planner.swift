internal import ReelsModel
internal import ReelsPipeline

/// Decides everything from what is asked, what is there and what is allowed. Touches no media.
struct Planner: Sendable {
  let request: Request
  let info: MediaInfo
  let preset: Preset
  /// What of it is to be copied.
  var decision = CopyDecision()

  private var limits: Preset.Limits { preset.limits }
  private var name: String { request.input.lastComponent.description }

  /// - Throws: `PrepError` where the request cannot be met within the preset's limits.
  func plan() throws(PrepError) -> Plan {
    guard let survey = info.video else {
      throw PrepError(
        code: .noVideo, sentence: "\(name) has no video that can be used", blame: .input)
    }
    let rate = try frameRate(survey)
    let begin = start(survey, rate: rate)
    let length = try length(survey, rate: rate)
    let geometry = try geometry(survey)
    var audio = try audio(length: length, rate: rate)
    audio.sourceClock = survey.clock
    if case .copies(let sound) = decision.audio {
      let seconds = Ratio(Int64(length.frames)) / rate
      audio.copy = sound.copy
      audio.sampleRate = sound.sampleRate
      audio.channels = sound.channels
      audio.bitRate = sound.bitRate
      audio.samples = min(
        (seconds * Ratio(Int64(sound.sampleRate))).floor, Int64(sound.packets) * AudioPacket.samples
      )
    }
    let cap = request.maxSize ?? ByteCount(limits.fileBytesBelow.value)
    let isLoop = request.short == .loop && length.frames > length.sourceFrames
    let gopFrames = max(1, Int((rate * Ratio(Self.gopSeconds)).floor))
    let ranges = RangePlan(
      frames: length.frames, gopFrames: gopFrames, start: begin, rate: rate,
      entries: survey.frames.entries
    ).ranges(isWhole: isLoop)
    let encoding = try encoding(
      geometry: geometry, rate: rate, frames: length.frames, gopFrames: gopFrames,
      audio: audio, cap: cap)
    let color = ColorReading.resolve(
      survey.color, pixels: survey.pixelFormat, size: survey.codedSize)
    var video = VideoPlan(
      stream: survey.track.index, origin: survey.firstFrame, start: begin,
      last: length.last, frameRate: rate,
      frames: length.frames,
      sourceFrames: length.sourceFrames, short: isLoop ? .loop : .hold, geometry: geometry,
      color: .init(
        source: color, toneMap: color.transfer.isHDR ? .bt2390 : .none,
        // HLG is relative: its display's peak is the standard's, whatever the file says.
        peakLuminance: ToneCurve(
          statedPeak: color.transfer == .hlg ? nil : survey.peakLuminance
        ).sourcePeak),
      deinterlace: survey.isInterlaced, ranges: ranges, encoding: encoding)
    video.sourceClock = survey.clock
    video.lost = survey.lost
    if case .copies(let copy) = decision.video, let key = copy.keys.first {
      video.copy = copy
      video.ranges = [VideoPlan.EncodeRange(first: 0, count: length.frames, entry: key)]
    }
    let window = Plan.Window(
      requestedStart: request.start ?? .zero, start: begin - survey.firstFrame,
      duration: MediaTime(seconds: Ratio(Int64(length.frames)) / rate))
    let reasons = PlanReasons(
      survey: survey, video: video, audio: audio, info: info, decision: decision,
      isForced: request.reencode)
    return Plan(
      window: window, video: video, audio: audio, cover: try cover(window.duration),
      fileBytesBelow: cap, steps: reasons.steps,
      warnings: reasons.warnings(request: request, rate: rate))
  }

  // MARK: Time

  /// Where the window begins, in the file's own time: with the frame on show at its start. A part of a split
  /// of another rate goes on exactly where the one before it has ended, so that a frame held across the
  /// seam is not shown longer.
  private func start(_ survey: VideoSurvey, rate: Ratio) -> MediaTime {
    guard let start = request.start, request.part != nil, survey.constantRate != rate else {
      return survey.frames.start
    }
    return max(survey.firstFrame + start, survey.frames.start)
  }

  /// How long the source goes on, for a split.
  struct Extent {
    var rate: Ratio
    /// Frames at that rate, from `start` to the end of what is asked for.
    var frames: Int
    /// From the first presented frame.
    var start: MediaTime
    /// Whether each frame of the source is one of the output.
    var keepsRate: Bool
  }

  /// - Throws: as `plan()`.
  func extent() throws(PrepError) -> Extent {
    guard let survey = info.video else {
      throw PrepError(
        code: .noVideo, sentence: "\(name) has no video that can be used", blame: .input)
    }
    let rate = try frameRate(survey)
    return Extent(
      rate: rate, frames: try length(survey, rate: rate).frames,
      start: survey.frames.start - survey.firstFrame, keepsRate: survey.constantRate == rate)
  }

  private struct Length {
    var frames: Int
    /// Frames that show the source before it ends.
    var sourceFrames: Int
    var last: MediaTime
  }

  private func frameRate(_ survey: VideoSurvey) throws(PrepError) -> Ratio {
    let allowed = limits.frameRate.value
    if let asked = request.frameRate {
      guard asked.doubleValue >= allowed.minimum, asked.doubleValue <= allowed.maximum else {
        throw PrepError(
          code: .badOption,
          sentence: "--fps \(asked) is outside of \(Self.number(allowed.minimum))–"
            + "\(Self.number(allowed.maximum)), which \(preset.title) takes", blame: .input)
      }
      return asked
    }
    return Cadence(constantRate: survey.constantRate, medianInterval: survey.medianInterval)
      .outputRate(minimum: allowed.minimum, maximum: allowed.maximum)
  }

  private func length(_ survey: VideoSurvey, rate: Ratio) throws(PrepError) -> Length {
    let bounds = limits.durationSeconds.value
    let minimum = Ratio(approximating: bounds.minimum)
    let maximum = Ratio(approximating: bounds.maximum)
    let asked = try askedDuration(minimum: minimum, maximum: maximum)
    let available = available(survey, from: start(survey, rate: rate))
    let wanted = min(asked?.seconds ?? maximum, maximum)

    if available < minimum, request.short == .reject {
      throw tooShort(survey, available: available, minimum: bounds.minimum)
    }
    // A constant source has as many frames as it has; time stamps rounded to milliseconds say less.
    var inSource = max(1, Int((available * rate).floor))
    var frames = available < wanted ? inSource : max(1, Int((wanted * rate).floor))
    if min(available, wanted) < minimum {
      // The rest is a loop or a hold, also where only the part that is asked for is short.
      inSource = frames
      frames = Int((minimum * rate).ceiling)
    }
    if Ratio(Int64(frames)) / rate < minimum { frames += 1 }
    let end = start(survey, rate: rate) + MediaTime(seconds: wanted)
    return Length(
      frames: frames, sourceFrames: min(inSource, frames), last: min(survey.frames.last, end))
  }

  /// Seconds of the source from the window's start on, as far as the survey went.
  private func available(_ survey: VideoSurvey, from start: MediaTime) -> Ratio {
    guard let end = survey.end else {
      // The survey stopped because it had all that can be wanted.
      return Ratio(approximating: limits.durationSeconds.value.maximum)
    }
    if let rate = survey.constantRate { return Ratio(Int64(survey.frames.count)) / rate }
    return (end - start).seconds
  }

  private func askedDuration(minimum: Ratio, maximum: Ratio) throws(PrepError) -> MediaTime? {
    let start = request.start ?? .zero
    let asked: MediaTime
    let option: String
    if let duration = request.duration {
      (asked, option) = (duration, "--duration \(duration)")
    } else if let end = request.end {
      (asked, option) = (end - start, "--end \(end) after --start \(start)")
    } else {
      return nil
    }
    guard asked.seconds <= maximum else {
      throw PrepError(
        code: .badWindow,
        sentence: "\(option) asks for \(asked) s, \(preset.title) takes at most "
          + "\(MediaTime(seconds: maximum).decimals(0)) s; ask for less", blame: .input)
    }
    guard asked.seconds >= minimum || (request.short != .reject && asked.seconds.isPositive) else {
      throw PrepError(
        code: .badWindow,
        sentence: "\(option) asks for \(asked) s, \(preset.title) needs "
          + "\(MediaTime(seconds: minimum).decimals(0)) s or more; ask for more, or use --short loop "
          + "or --short hold", blame: .input)
    }
    return asked
  }

  private func tooShort(_ survey: VideoSurvey, available: Ratio, minimum: Double) -> PrepError {
    let length = MediaTime(seconds: available)
    let from = survey.frames.start - survey.firstFrame
    let fact = from > .zero ? "has \(length) s from \(from) s on" : "lasts \(length) s"
    let wayOut = from > .zero ? "start earlier, or use" : "use"
    return PrepError(
      code: .tooShort,
      sentence: "\(name) \(fact), \(preset.title) needs \(Self.number(minimum)) s or more; "
        + "\(wayOut) --short loop or --short hold", blame: .input)
  }

  private func cover(_ duration: MediaTime) throws(PrepError) -> CoverChoice {
    if case .time(let time) = request.cover, time >= duration {
      throw PrepError(
        code: .badOption,
        sentence: "--cover \(time) is beyond the end of the clip at \(duration) s; choose an "
          + "earlier time", blame: .input)
    }
    return request.cover
  }

  // MARK: Picture

  private func geometry(_ survey: VideoSurvey) throws(PrepError) -> VideoPlan.Geometry {
    let display = survey.displaySize
    let isLandscape = display.width > display.height
    let preferred = limits.canvas.value
    let canvas: PixelSize
    if let asked = request.canvas {
      guard asked.width % 2 == 0, asked.height % 2 == 0, asked.width <= limits.columnsMaximum.value,
        max(asked.width, asked.height) <= max(preferred.width, preferred.height),
        min(asked.width, asked.height) <= min(preferred.width, preferred.height)
      else {
        throw PrepError(
          code: .badOption,
          sentence: "--canvas \(asked) does not do: sides must be even and fit into \(preferred), "
            + "upright or turned", blame: .input)
      }
      canvas = asked
    } else {
      canvas = request.fit == .keep && isLandscape ? preferred.turned : preferred
    }
    let picture: PixelSize
    switch request.fit {
    case .keep: picture = PictureFit.inside(display, canvas: canvas, enlarging: false)
    case .pad, .blur: picture = PictureFit.inside(display, canvas: canvas, enlarging: true)
    case .crop: picture = PictureFit.covering(display, canvas: canvas)
    }
    let output = request.fit == .keep ? picture : canvas
    let aspect = Double(output.width) / Double(output.height)
    guard aspect >= limits.aspect.value.minimum, aspect <= limits.aspect.value.maximum else {
      throw PrepError(
        code: .badOption,
        sentence: "\(name) is \(display), a shape that \(preset.title) does not take (width over "
          + "height \(limits.aspect.value.minimum)–\(limits.aspect.value.maximum)); use --fit pad "
          + "or --fit crop", blame: .input)
    }
    if let least = limits.leastSize, least.severity == .hard,
      output.width < least.value.width || output.height < least.value.height
    {
      throw PrepError(
        code: .badOption,
        sentence:
          "\(name) would be \(output), and \(preset.title) takes \(least.value) or more; use "
          + "--fit pad, crop or blur", blame: .input)
    }
    return VideoPlan.Geometry(
      part: survey.content, orientation: survey.orientation, fit: request.fit, picture: picture,
      canvas: output, padColor: request.padColor, focus: request.cropFocus ?? .centre)
  }

  // MARK: Sound

  private func audio(length: Length, rate: Ratio) throws(PrepError) -> AudioPlan {
    let usable = info.audio.filter { $0.track.isDecodable }
    var chosen: [AudioTrack] = []
    switch request.audio {
    case .none: break
    case .mix: chosen = usable.map(\.track)
    case .track(let number):
      guard number <= info.audioTracks.count else {
        throw PrepError(
          code: .badOption,
          sentence: info.audioTracks.isEmpty
            ? "--audio \(number) names a track, but \(name) has no sound; choose auto or none"
            : "--audio \(number) names a track that \(name) has not: it has "
              + "\(info.audioTracks.count); choose 1–\(info.audioTracks.count), auto or none",
          blame: .input)
      }
      let track = info.audioTracks[number - 1]
      guard track.isDecodable else {
        throw PrepError(
          code: .undecodable,
          sentence: "--audio \(number) of \(name) is \(track.codec), which this FFmpeg cannot "
            + "decode; choose another track, auto or none", blame: .input)
      }
      chosen = [track]
    case .auto:
      let sounding = usable.filter { $0.isSilent != true }
      let candidates = sounding.isEmpty ? usable : sounding
      let best = candidates.first { $0.track.isDefault } ?? candidates.first
      chosen = best.map { [$0.track] } ?? []
    }
    let rates = Set(chosen.map(\.sampleRate))
    let sampleRate = rates == [44_100] ? 44_100 : min(48_000, limits.audioSampleRateMaximum.value)
    let isMono = !chosen.isEmpty && chosen.allSatisfy { $0.channels == 1 }
    let seconds = Ratio(Int64(length.frames)) / rate
    var plan = AudioPlan(
      streams: chosen.map(\.index), sampleRate: sampleRate,
      channels: isMono ? 1 : Int(limits.audioChannels.value.maximum),
      bitRate: BitsPerSecond(limits.audioBitsPerSecond.value),
      samples: (seconds * Ratio(Int64(sampleRate))).floor)
    for track in chosen { plan.edits[track.index] = track.edits }
    return plan
  }

  // MARK: Bits

  private func encoding(
    geometry: VideoPlan.Geometry, rate: Ratio, frames: Int, gopFrames: Int,
    audio: AudioPlan, cap: ByteCount
  ) throws(PrepError) -> VideoEncoding {
    let seconds = (Ratio(Int64(frames)) / rate).doubleValue
    let overhead = RateControl.overhead(frames: frames, rate: rate, audio: audio)
    let bits = Double(cap.value - 1 - overhead) * 8
    guard bits >= RateControl.lowestRate * seconds else {
      let smallest = overhead + Int64(RateControl.lowestRate * seconds / 8) + 2
      // Rounded up to what is shown of it, so that it does when it is typed in.
      let step: Int64 = smallest < 1_000_000 ? 1_000 : 100_000
      throw PrepError(
        code: .badOption,
        sentence:
          "a size of \(cap) is too small for \(MediaTime(seconds: Ratio(approximating: seconds)))"
          + " s of \(name); allow at least \(ByteCount((smallest / step + 1) * step)) or ask for less time",
        blame: .input)
    }
    let vbv = RateControl.vbv(
      size: geometry.canvas, peak: Double(limits.peakBitsPerSecond.value))
    let level = EncodingLevel.lowest(
      size: geometry.canvas, frameRate: rate, dpbFrames: Self.dpbFrames,
      rate: BitsPerSecond(Int64(vbv.rate)))
    return VideoEncoding(
      effort: request.effort, crf: RateControl.crf,
      maximumRate: BitsPerSecond(Int64(vbv.rate)), bufferBits: Int64(vbv.buffer),
      initialFill: RateControl.initialFill,
      gopFrames: gopFrames, level: level.idc,
      lookaheadFrames: RateControl.lookaheadFrames(size: geometry.canvas))
  }

  private static let gopSeconds: Int64 = 2
  /// One reference and what a B-pyramid holds.
  private static let dpbFrames = 4

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
