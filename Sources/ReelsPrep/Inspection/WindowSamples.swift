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
  func forEach(_ body: (borrowing Frame, _ timeBase: Ratio) throws -> Void) throws {
    let entries = survey.frames.entries
    let step = max(1, (entries.count + Self.most - 1) / Self.most)
    let chosen = stride(from: 0, to: entries.count, by: step).map { entries[$0] }
    var count = 0
    for (number, entry) in chosen.enumerated() {
      var reader = try VideoReader.open(
        input, stream: survey.track.index, entry: entry.pts <= survey.firstFrame ? nil : entry.pts,
        seek: entry.dts, threads: 1, interrupt: interrupt, order: survey.stampOrder)
      // A window of one GOP is looked at every half second, four seconds far.
      let isLast = number == chosen.count - 1
      var next: MediaTime?
      var wanted = isLast ? max(1, Self.leastCount - count) : 1
      while wanted > 0, let picture = try reader.next() {
        if picture.time < survey.frames.start, chosen.count > 1 || number > 0 { continue }
        if let next, picture.time < next { continue }
        next = picture.time + MediaTime(seconds: Ratio(1, 2))
        try body(picture.frame, reader.timeBase)
        (wanted, count) = (wanted - 1, count + 1)
      }
    }
  }

  private static let leastCount = 8
}
