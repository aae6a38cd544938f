internal import ReelsFFmpeg
internal import ReelsModel

/// Decodes a range of the output and puts each source frame at its places.
struct DecodeStage {
  let job: Transcode
  let threads: Int
  let interrupt: Interrupt

  private var plan: VideoPlan { job.video }

  /// Whether the window's last frame is held although the source may go on.
  private var isHeld: Bool { plan.short == .hold && plan.sourceFrames < plan.frames }

  /// Where a pass over the source begins, and what came of it.
  private enum Outcome {
    /// Frames that had to be concealed.
    case done(concealed: Int)
    /// Nobody wants more.
    case refused
    /// Not one frame came.
    case empty
  }

  /// - Returns: how many frames of the range had to be concealed.
  func run(_ index: Int, into channel: Channel<PlacedPicture>) throws -> Int {
    if plan.short == .loop { return try loop(index, into: channel) }
    let range = plan.ranges[index]
    let places = range.first..<(range.first + range.count)
    // After a key frame of a periodic intra refresh the picture is whole only some frames later: then
    // decoding begins earlier. Where a key frame does not decode at all, the one before may.
    let own = plan.ranges[index].entry
    let others = plan.ranges[..<index].reversed().map(\.entry)
    let attempts = [(own, false), (earlier(own), false), (own, true)] + others.map { ($0, true) }
    for (entry, acceptsDamage) in attempts {
      switch try pass(
        index, entry, places: places, base: 0, acceptsDamage: acceptsDamage, into: channel)
      {
      case .done(let concealed): return min(concealed, range.count)
      case .refused: return 0
      case .empty: continue
      }
    }
    throw TranscodeError.noFrames
  }

  /// Some way before an entry.
  private func earlier(_ entry: EntryPoint) -> EntryPoint {
    let pts = max(plan.origin, entry.pts - Self.refreshSeconds)
    return EntryPoint(pts: pts, dts: min(pts, entry.dts - Self.refreshSeconds))
  }

  /// Longer than what encoders take to refresh a picture: x264's default is 250 frames.
  private static let refreshSeconds = MediaTime(seconds: 12)

  /// The source again and again, until the range is full; a range may begin anywhere in it.
  private func loop(_ index: Int, into channel: Channel<PlacedPicture>) throws -> Int {
    let range = plan.ranges[index]
    var concealed = 0
    let end = range.first + range.count
    var place = range.first
    while place < end {
      let first = place % max(1, plan.sourceFrames)
      let count = min(max(1, plan.sourceFrames) - first, end - place)
      let places = first..<(first + count)
      switch try pass(
        index, range.entry, places: places, base: place - first, acceptsDamage: true, into: channel)
      {
      case .done(let part): concealed += min(part, count)
      case .refused: return concealed
      case .empty: throw TranscodeError.noFrames
      }
      place += count
    }
    return concealed
  }

  /// One pass over the source from an entry on.
  ///
  /// - Parameters:
  ///   - base: what is added to the places.
  ///   - acceptsDamage: whether the first picture may be one that had to be concealed.
  private func pass(
    _ index: Int, _ entry: EntryPoint, places: Range<Int>, base: Int, acceptsDamage: Bool,
    into channel: Channel<PlacedPicture>
  ) throws -> Outcome {
    let isFirst = entry.pts <= plan.origin
    var reader = try VideoReader.open(
      job.input, stream: plan.stream, entry: isFirst ? nil : entry.pts, seek: entry.dts,
      threads: threads, interrupt: interrupt, clock: plan.sourceClock)
    var clock = FrameClock(start: plan.start, rate: plan.frameRate, places: places)
    var held: Frame?
    var heldTime = plan.start
    // Places whose frame is not the source's own.
    var concealed = lostPlaces(clock, places)
    var hasPlaced = false

    func place(_ frame: consuming Frame, _ run: FrameClock.Run) -> Bool {
      hasPlaced = true
      if frame.isDamaged { concealed.formUnion(run.first..<(run.first + run.count)) }
      return channel.send(
        PlacedPicture(
          frame: frame, run: .init(first: base + run.first, count: run.count), range: index,
          timeBase: reader.timeBase))
    }

    while let picture = try reader.next() {
      if interrupt.shouldEnd { throw CancellationError() }
      let time = picture.time
      if isHeld, time > plan.last { break }
      // Places at which a frame is shown again because the next one was lost.
      if let lost = picture.missing.first {
        let from = max(clock.place(of: lost), clock.place(of: heldTime) + 1, places.lowerBound)
        let to = min(clock.place(of: time), places.upperBound)
        if from < to { concealed.formUnion(from..<to) }
      }
      switch clock.push(time) {
      case .ignore: continue
      case .replace:
        // A range whose first frames do not decode begins with what came after them.
        let first = min(clock.place(of: time), places.upperBound)
        if held == nil, first > places.lowerBound {
          concealed.formUnion(places.lowerBound..<first)
        }
      case .show(let run):
        guard let frame = held.take() else { break }
        if frame.isDamaged, !hasPlaced, !acceptsDamage { return .empty }
        if !place(frame, run) { return .refused }
      case .finish(let run):
        if let frame = held.take(), !place(frame, run) { return .refused }
        return .done(concealed: concealed.count)
      }
      held = picture.takeFrame()
      heldTime = time
    }
    guard let run = clock.finish(), let frame = held.take() else { return .empty }
    // Where the last frame that decoded is not the last there should be, the rest is concealment.
    let last = min(clock.place(of: plan.last), places.upperBound - 1)
    let shown = max(clock.place(of: heldTime), places.lowerBound - 1)
    if shown < last { concealed.formUnion((shown + 1)...last) }
    return place(frame, run) ? .done(concealed: concealed.count) : .refused
  }

  /// Places at which a frame is held because the container lost those that follow.
  private func lostPlaces(_ clock: FrameClock, _ places: Range<Int>) -> Set<Int> {
    var found: Set<Int> = []
    for span in plan.lost {
      let from = max(clock.place(of: span.start) + 1, places.lowerBound)
      let to = min(clock.place(of: span.end), places.upperBound)
      if from < to { found.formUnion(from..<to) }
    }
    return found
  }
}
