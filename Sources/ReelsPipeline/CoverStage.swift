internal import ReelsFFmpeg
internal import ReelsModel

/// Picks the cover of a video that is copied, from few of its frames.
struct CoverStage {
  let job: Transcode
  let choice: CoverChoice
  let keys: [EntryPoint]
  let interrupt: Interrupt

  /// Key frames that are looked at.
  private static let most: Int64 = 8

  struct Found {
    var cover: Transcode.CoverPicture?
    /// Whether the frames that were looked at are.
    var isWhole = true
    var frames = 0
  }

  func run() throws -> Found {
    switch choice {
    case .time(let time):
      let wanted = job.video.start + time
      guard let key = keys.last(where: { $0.pts <= wanted }) ?? keys.first else {
        return Found()
      }
      return try pick(from: key, to: job.video.clock.place(of: wanted) + 1, spacing: nil)
    case .auto:
      guard let first = keys.first else { return Found() }
      let length = Ratio(Int64(job.video.frames)) / job.video.frameRate
      let found = try pick(
        from: first, to: job.video.frames,
        spacing: MediaTime(seconds: length * Ratio(1, Self.most)))
      if let cover = found.cover, cover.score >= CoverPicker.darkScore { return found }
      // Where key frames are dark, all frames are looked at.
      let all = try pick(from: first, to: job.video.frames, spacing: nil)
      return Found(
        cover: all.cover ?? found.cover, isWhole: found.isWhole && all.isWhole,
        frames: max(found.frames, all.frames))
    }
  }

  /// - Parameters:
  ///   - end: the place before which to look.
  ///   - spacing: looks at key frames alone, so far apart.
  private func pick(
    from entry: EntryPoint, to end: Int, spacing: MediaTime?
  ) throws -> Found {
    var picker = CoverPicker(
      choice: choice, rate: job.video.frameRate, total: job.video.frames)
    let clock = job.video.clock
    var (isWhole, frames) = (true, 0)
    var reader = try VideoReader.open(
      job.input, stream: job.video.stream,
      entry: entry.pts <= job.video.origin ? nil : entry.pts, seek: entry.dts,
      threads: 1, interrupt: interrupt, clock: job.video.sourceClock, keySpacing: spacing)
    picker.beginRange(at: 0)
    var graph: PictureGraph?
    var format: PictureFormat?
    while let picture = try reader.next() {
      if interrupt.shouldEnd { throw CancellationError() }
      if picture.time < entry.pts { continue }
      let place = clock.place(of: picture.time)
      guard place < end else { break }
      frames += 1
      if picture.frame.isDamaged || (spacing == nil && !picture.missing.isEmpty) {
        isWhole = false
      }
      let next = PictureFormat(picture.frame)
      if graph == nil || next != format {
        graph = try PictureGraph(
          job.recipe(next), from: picture.frame.videoFormat(timeBase: reader.timeBase), threads: 1)
        format = next
      }
      try graph?.send(picture.frame)
      // What is copied needs no filter that holds pictures back.
      guard let pull = try graph?.receive(), case .value(let filtered) = pull else { continue }
      // Key frames have no neighbours that would tell of a transition.
      if spacing != nil { picker.beginRange(at: place) }
      try picker.consider(filtered, FrameClock.Run(first: place, count: 1))
    }
    if reader.refusedPackets > 0 { isWhole = false }
    return Found(cover: try picker.finish(), isWhole: isWhole, frames: frames)
  }
}
