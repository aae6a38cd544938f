internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Reads the time stamps of a window's packets, without decoding: from the key frame before its
/// start to its end.
struct WindowSurvey {
  let request: Request
  /// Seconds that a window has at most.
  let window: Double
  let interrupt: Interrupt
  let statedRate: Ratio?
  /// Whether bytes of the file lie in the order of time.
  let isInOrder: Bool

  /// More packets than this in one window are no video: 1,000 a second, and as much again. A window of
  /// hours may have this many.
  private var maximumPackets: Int { min(max(120_000, Int(wanted * 2_000)), 5_000_000) }
  /// Presentation may run ahead of decoding by a few frames; a second is more than any codec does.
  private static let reorderSeconds = MediaTime(seconds: 1)

  private static let entrySpacing = MediaTime(seconds: Ratio(1, 2))

  private var name: String { request.input.lastComponent.description }

  private struct Stamps {
    /// Ticks of the frames shown, T = 0 and later.
    var times: [Int64] = []
    /// Key frames at T = 0 or later: when they are shown, and when they are decoded.
    var keys: [(pts: Int64, dts: Int64?)] = []
    var lastDuration: Int64 = 0
    var last = Int64.min
    var places: [PacketPlace] = []
    var hasEnded = false
  }

  func read(into survey: inout VideoSurvey) throws {
    let target = survey.firstFrame + (request.start ?? .zero)
    let stamps = try stamps(survey, target: target)
    let timeBase = survey.timeBase
    let first = stamps.times.last { MediaTime(ticks: $0, timeBase: timeBase) <= target }
    guard let start = first ?? stamps.times.first, !stamps.keys.isEmpty else {
      throw beyondEnd(survey, target: target)
    }
    let startTime = MediaTime(ticks: start, timeBase: timeBase)
    let end = startTime + MediaTime(seconds: Ratio(approximating: wanted))
    let inside = stamps.times.filter {
      $0 >= start && MediaTime(ticks: $0, timeBase: timeBase) < end
    }
    let cadence = Cadence(times: inside, timeBase: timeBase, statedRate: statedRate)
    survey.constantRate = cadence.constantRate ?? (inside.count < 2 ? statedRate : nil)
    if survey.constantRate == nil {
      survey.evenRate = Cadence.evenRate(times: inside, timeBase: timeBase)
    }
    survey.medianInterval = cadence.medianInterval
    survey.gaps = FrameGaps(times: inside, timeBase: timeBase, usual: cadence.medianInterval)
    survey.lost = lost(stamps.places, usual: cadence.medianInterval, timeBase: timeBase)
    survey.frames = FrameTimes(
      start: startTime, count: inside.count,
      last: MediaTime(ticks: inside.last ?? start, timeBase: timeBase),
      entries: survey.clock.order == .presentation
        ? entries(stamps.keys, start: startTime, end: end, timeBase: timeBase)
        // Times follow from how many pictures came before.
        : [EntryPoint(pts: survey.firstFrame, dts: survey.firstFrame)])
    guard stamps.hasEnded, let last = stamps.times.last else { return }
    let lastLength =
      stamps.lastDuration > 0
      ? MediaTime(ticks: stamps.lastDuration, timeBase: timeBase)
      : cadence.medianInterval ?? MediaTime(seconds: statedRate?.inverted ?? Ratio(1, 30))
    let lastEnd = MediaTime(ticks: last, timeBase: timeBase) + lastLength
    // A start beyond the last frame's own time shows nothing.
    if target >= lastEnd { throw beyondEnd(survey, target: target, end: lastEnd) }
    if lastEnd <= end { survey.end = lastEnd }
  }

  private func lost(
    _ places: [PacketPlace], usual: MediaTime?, timeBase: Ratio
  ) -> [LostSpan] {
    guard let usual else { return [] }
    return LostSpan.spans(
      places, gap: FrameGaps.least(usual: usual).ticks(in: timeBase), timeBase: timeBase)
  }

  /// The last key frame that is shown no later than `start`, and those that follow, half a second or
  /// more apart.
  private func entries(
    _ keys: [(pts: Int64, dts: Int64?)], start: MediaTime, end: MediaTime, timeBase: Ratio
  ) -> [EntryPoint] {
    let points = keys.map { key in
      let pts = MediaTime(ticks: key.pts, timeBase: timeBase)
      // Without decoding times, a second before is surely before.
      let dts = key.dts.map { MediaTime(ticks: min($0, key.pts), timeBase: timeBase) }
      return EntryPoint(pts: pts, dts: dts ?? pts - Self.reorderSeconds)
    }.sorted { $0.pts < $1.pts }
    guard let first = points.last(where: { $0.pts <= start }) ?? points.first else { return [] }
    var kept = [first]
    for point in points where point.pts < end {
      if point.pts >= kept[kept.count - 1].pts + Self.entrySpacing { kept.append(point) }
    }
    return kept
  }

  /// Seconds of the window at most.
  private var wanted: Double {
    let asked = request.duration ?? request.end.map { $0 - (request.start ?? .zero) }
    return min(max(asked?.doubleValue ?? window, 0), window)
  }

  /// Reads from the key frame before the target on. Formats without an index may land behind it:
  /// then from further back, at last from the start.
  private func stamps(_ survey: VideoSurvey, target: MediaTime) throws -> Stamps {
    if target > survey.firstFrame, survey.clock.order == .presentation {
      for backoff in [0, 2, 8, 32] as [Int64] {
        let from = target - MediaTime(seconds: backoff)
        if from <= survey.firstFrame { break }
        let stamps = try stamps(survey, target: target, from: from)
        if stamps.keys.contains(where: {
          MediaTime(ticks: $0.pts, timeBase: survey.timeBase) <= target
        }) {
          return stamps
        }
      }
    }
    return try stamps(survey, target: target, from: nil)
  }

  private func stamps(
    _ survey: VideoSurvey, target: MediaTime, from: MediaTime?
  ) throws -> Stamps {
    var reader = try PacketReader.open(
      request.input, stream: survey.track.index, at: from, clock: survey.clock,
      interrupt: interrupt, decoding: false)
    let timeBase = reader.timeBase
    let origin = survey.firstFrame.ticks(in: timeBase)
    let end = target + MediaTime(seconds: Ratio(approximating: wanted))
    let endTicks = end.ticks(in: timeBase)
    let stop = (end + Self.reorderSeconds).ticks(in: timeBase)
    var stamps = Stamps(hasEnded: true)
    var count = 0
    while let packet = try reader.next() {
      guard let time = reader.stamp(of: packet), !packet.isDiscarded else { continue }
      if time >= origin {
        if packet.isKey { stamps.keys.append((time, packet.dts)) }
        stamps.times.append(time)
        if time > stamps.last {
          stamps.last = time
          stamps.lastDuration = packet.duration
        }
        if isInOrder, let position = packet.position {
          stamps.places.append(
            PacketPlace(time: time, position: position, bytes: Int64(packet.byteCount)))
        }
      }
      let decoded = packet.dts ?? time
      if decoded > stop || (packet.dts != nil && decoded > endTicks && time > endTicks) {
        stamps.hasEnded = false
        break
      }
      count += 1
      guard count <= maximumPackets else {
        throw PrepError(
          code: .tooLarge,
          sentence: "\(name) has more than \(maximumPackets) frames in "
            + "\(MediaTime(seconds: Ratio(approximating: wanted)).decimals(0)) s, which no video has; "
            + "export it again at 60 fps or less", blame: .input)
      }
    }
    stamps.times = Array(Set(stamps.times)).sorted()
    // The first frame that decodes may not be marked as a key frame.
    if from == nil, let first = stamps.times.first,
      stamps.keys.first.map({ $0.pts > first }) ?? true
    {
      stamps.keys.insert((first, nil), at: 0)
    }
    return stamps
  }

  private func beyondEnd(
    _ survey: VideoSurvey, target: MediaTime, end: MediaTime? = nil
  ) -> PrepError {
    let length = end.map { " at \(($0 - survey.firstFrame)) s" } ?? ""
    return PrepError(
      code: .badWindow,
      sentence: "--start \((target - survey.firstFrame)) is beyond the end of \(name)\(length); "
        + "start earlier", blame: .input)
  }
}
