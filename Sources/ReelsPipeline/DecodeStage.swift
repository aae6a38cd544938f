internal import ReelsFFmpeg
internal import ReelsModel

/// Decodes the window and puts each source frame at its places in the output.
struct DecodeStage {
  let job: Transcode
  let interrupt: Interrupt

  /// - Returns: how many frames of the output had to be concealed.
  func run(into channel: Channel<PlacedPicture>) throws -> Int {
    var concealed = 0
    var done = 0
    // A loop is one pass after another; everything else is one pass.
    repeat {
      let total =
        job.video.short == .loop
        ? min(job.video.sourceFrames, job.video.frames - done) : job.video.frames
      guard let part = try runOnce(base: done, total: total, into: channel) else {
        return concealed
      }
      concealed += part
      done += total
    } while done < job.video.frames
    return concealed
  }

  /// One pass over the source.
  ///
  /// - Returns: the concealed frames; nil where nobody wants more.
  private func runOnce(base: Int, total: Int, into channel: Channel<PlacedPicture>) throws -> Int? {
    let plan = job.video
    var reader = try VideoReader.open(
      job.input, stream: plan.stream, entry: plan.entry > plan.origin ? plan.entry : nil,
      seek: plan.seek,
      threads: job.threads, interrupt: interrupt)
    var clock = FrameClock(start: plan.start, rate: plan.frameRate, total: total)
    var held: Frame?
    var heldTime = plan.start
    var concealed = 0

    func place(_ frame: consuming Frame, _ run: FrameClock.Run) -> Bool {
      if frame.isDamaged { concealed += run.count }
      return channel.send(
        PlacedPicture(
          frame: frame, run: .init(first: base + run.first, count: run.count),
          timeBase: reader.timeBase))
    }

    while let picture = try reader.next() {
      if interrupt.shouldEnd { throw CancellationError() }
      let time = picture.time
      switch clock.push(time) {
      case .ignore: continue
      case .replace: break
      case .show(let run):
        if let frame = held.take(), !place(frame, run) { return nil }
      case .finish(let run):
        if let frame = held.take(), !place(frame, run) { return nil }
        return concealed
      }
      held = picture.takeFrame()
      heldTime = time
    }
    guard let run = clock.finish(), let frame = held.take() else { throw TranscodeError.noFrames }
    // Where the last frame that decoded is not the last there should be, the rest is concealment.
    concealed += max(0, clock.place(of: plan.last) - clock.place(of: heldTime))
    return place(frame, run) ? concealed : nil
  }
}
