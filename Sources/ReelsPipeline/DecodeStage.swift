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
    // Where a key frame does not decode, an earlier one may.
    for entry in plan.ranges[...index].reversed().map(\.entry) {
      let range = plan.ranges[index]
      let places = range.first..<(range.first + range.count)
      switch try pass(index, entry, places: places, base: 0, into: channel) {
      case .done(let concealed): return concealed
      case .refused: return 0
      case .empty: continue
      }
    }
    throw TranscodeError.noFrames
  }

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
      switch try pass(index, range.entry, places: places, base: place - first, into: channel) {
      case .done(let part): concealed += part
      case .refused: return concealed
      case .empty: throw TranscodeError.noFrames
      }
      place += count
    }
    return concealed
  }

  /// One pass over the source from an entry on.
  ///
  /// - Parameter base: what is added to the places.
  private func pass(
    _ index: Int, _ entry: EntryPoint, places: Range<Int>, base: Int,
    into channel: Channel<PlacedPicture>
  ) throws -> Outcome {
    let isFirst = entry.pts <= plan.origin
    var reader = try VideoReader.open(
      job.input, stream: plan.stream, entry: isFirst ? nil : entry.pts, seek: entry.dts,
      threads: threads, interrupt: interrupt)
    var clock = FrameClock(start: plan.start, rate: plan.frameRate, places: places)
    var held: Frame?
    var heldTime = plan.start
    var concealed = 0

    func place(_ frame: consuming Frame, _ run: FrameClock.Run) -> Bool {
      if frame.isDamaged { concealed += run.count }
      return channel.send(
        PlacedPicture(
          frame: frame, run: .init(first: base + run.first, count: run.count), range: index,
          timeBase: reader.timeBase))
    }

    while let picture = try reader.next() {
      if interrupt.shouldEnd { throw CancellationError() }
      let time = picture.time
      if isHeld, time > plan.last { break }
      switch clock.push(time) {
      case .ignore: continue
      case .replace:
        // A range whose first frames do not decode begins with what came after them.
        if held == nil { concealed += max(0, clock.place(of: time) - places.lowerBound) }
      case .show(let run):
        if let frame = held.take(), !place(frame, run) { return .refused }
      case .finish(let run):
        if let frame = held.take(), !place(frame, run) { return .refused }
        return .done(concealed: concealed)
      }
      held = picture.takeFrame()
      heldTime = time
    }
    guard let run = clock.finish(), let frame = held.take() else { return .empty }
    // Where the last frame that decoded is not the last there should be, the rest is concealment.
    let last = min(clock.place(of: plan.last), places.upperBound - 1)
    concealed += max(0, last - clock.place(of: heldTime))
    return place(frame, run) ? .done(concealed: concealed) : .refused
  }
}
