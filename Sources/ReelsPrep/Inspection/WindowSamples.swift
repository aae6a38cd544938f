internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Looks at some pictures of a window, spread over it, without decoding what lies between.
struct WindowSamples {
  let input: FilePath
  let survey: VideoSurvey
  let interrupt: Interrupt

  private static let most = 16

  /// Gives the pictures at the window's entries to `body`, up to sixteen of them; where there are fewer
  /// entries, some that follow the last one.
  ///
  /// - Throws: what `body` throws, and an interrupt.
  func visit(_ body: (borrowing Frame, _ timeBase: Ratio) throws -> Void) throws {
    let entries = survey.frames.entries
    let step = max(1, (entries.count + Self.most - 1) / Self.most)
    let chosen = stride(from: 0, to: entries.count, by: step).map { entries[$0] }
    let rest =
      survey.frames.last - max(survey.frames.start, entries.last?.pts ?? survey.frames.start)
    let spacing = MediaTime(seconds: max(rest.seconds / Ratio(Int64(Self.leastCount)), Ratio(1, 5)))
    var count = 0
    for (number, entry) in chosen.enumerated() {
      var reader = try VideoReader.open(
        input, stream: survey.track.index, entry: entry.pts <= survey.firstFrame ? nil : entry.pts,
        seek: entry.dts, threads: 1, interrupt: interrupt, clock: survey.clock)
      // Where there are few GOPs, the last one is looked at along its length.
      let isLast = number == chosen.count - 1
      var next: MediaTime?
      var wanted = isLast ? max(1, Self.leastCount - count) : 1
      while wanted > 0, let picture = try reader.next() {
        if picture.time < survey.frames.start { continue }
        if picture.time > survey.frames.last { break }
        if let next, picture.time < next { continue }
        next = picture.time + spacing
        try body(picture.frame, reader.timeBase)
        (wanted, count) = (wanted - 1, count + 1)
      }
    }
  }

  private static let leastCount = 8
}
