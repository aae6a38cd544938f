internal import ReelsFFmpeg
internal import ReelsModel

/// Picks the cover of a video that is copied, from few of its frames.
struct CoverStage {
  let job: Transcode
  let choice: CoverChoice
  let keys: [EntryPoint]
  let interrupt: Interrupt

  /// Key frames that are looked at.
  private static let most = 16
  /// Below, a picture is as good as black (`CoverPicker`).
  private static let darkScore = CoverPicker.darkScore

  /// - Returns: the cover, and whether the frames that were looked at are whole.
  func run() throws -> (cover: Transcode.CoverPicture?, isWhole: Bool) {
    switch choice {
    case .time(let time):
      let wanted = job.video.start + time
      guard let key = keys.last(where: { $0.pts <= wanted }) ?? keys.first else {
        return (nil, true)
      }
      return try pick(from: [key], isSingle: false)
    case .auto:
      let step = max(1, (keys.count + Self.most - 1) / Self.most)
      let chosen = stride(from: 0, to: keys.count, by: step).map { keys[$0] }
      let found = try pick(from: chosen, isSingle: true)
      if let cover = found.cover, cover.score >= Self.darkScore { return found }
      // Where key frames are dark, or there are none, all frames are looked at.
      guard let first = keys.first else { return found }
      let all = try pick(from: [first], isSingle: false)
      return (all.cover ?? found.cover, found.isWhole && all.isWhole)
    }
  }

  /// - Parameter isSingle: whether one frame at each entry is enough.
  private func pick(
    from entries: [EntryPoint], isSingle: Bool
  ) throws -> (cover: Transcode.CoverPicture?, isWhole: Bool) {
    var picker = CoverPicker(
      choice: choice, rate: job.video.frameRate, total: job.video.frames)
    let clock = job.video.clock
    var isWhole = true
    var last = job.video.frames
    if case .time(let time) = choice { last = clock.place(of: job.video.start + time) + 1 }
    for entry in entries {
      var reader = try VideoReader.open(
        job.input, stream: job.video.stream,
        entry: entry.pts <= job.video.origin ? nil : entry.pts, seek: entry.dts,
        threads: job.threads, interrupt: interrupt, clock: job.video.sourceClock)
      picker.beginRange(at: clock.place(of: entry.pts))
      while let picture = try reader.next() {
        if interrupt.shouldEnd { throw CancellationError() }
        if picture.time < entry.pts { continue }
        let place = clock.place(of: picture.time)
        guard place < min(last, job.video.frames) else { break }
        if picture.frame.isDamaged || !picture.missing.isEmpty { isWhole = false }
        let timeBase = reader.timeBase
        var graph = try PictureGraph(
          job.recipe(PictureFormat(picture.frame)),
          from: picture.frame.videoFormat(timeBase: timeBase), threads: 1)
        try graph.send(picture.frame)
        try graph.sendEnd()
        if case .value(let filtered) = try graph.receive() {
          try picker.consider(filtered, FrameClock.Run(first: place, count: 1))
        }
        if isSingle { break }
      }
      if reader.refusedPackets > 0 { isWhole = false }
    }
    return (try picker.finish(), isWhole)
  }
}
