internal import ReelsFFmpeg
internal import ReelsModel

/// Picks the cover among the frames that pass by, keeping a reference to the best so far.
struct CoverPicker: ~Copyable {
  private let choice: CoverChoice
  private let rate: Ratio
  private let total: Int
  private var best: Frame?
  private var bestPlace = 0
  private var bestScore = -1.0
  private var nextCandidate = 0

  /// Two candidates a second; half as good at the end as at the start.
  private static let candidateSeconds = Ratio(1, 2)

  init(choice: CoverChoice, rate: Ratio, total: Int) {
    self.choice = choice
    self.rate = rate
    self.total = total
  }

  /// Candidates are counted from the first place of each range, whoever encodes it.
  mutating func beginRange(at place: Int) { nextCandidate = place }

  /// Looks at a frame that takes the places of `run`.
  mutating func consider(_ frame: borrowing Frame, _ run: FrameClock.Run) throws {
    switch choice {
    case .time(let time):
      let wanted = Int(min(max((time.seconds * rate).floor, 0), Int64(total - 1)))
      if run.first <= wanted, wanted < run.first + run.count {
        try keep(frame, place: wanted, score: 0)
      }
    case .auto:
      let end = run.first + run.count
      guard nextCandidate < end else { return }
      let place = max(run.first, nextCandidate)
      let step = max(1, Int((Self.candidateSeconds * rate).rounded))
      nextCandidate += max(1, (end - nextCandidate + step - 1) / step) * step
      let score = Self.score(frame.lumaStatistics) * (1 - 0.5 * Double(place) / Double(total))
      if score > bestScore { try keep(frame, place: place, score: score) }
    }
  }

  private mutating func keep(_ frame: borrowing Frame, place: Int, score: Double) throws {
    best = try frame.shared()
    bestPlace = place
    bestScore = score
  }

  /// Higher for a lit picture with contrast and detail; limited-range black is 16, white 235.
  static func score(_ luma: LumaStatistics) -> Double {
    let light = min(max(luma.mean - 16, 0), max(235 - luma.mean, 0)) / 110
    return light * (1 + luma.deviation / 32) * (1 + luma.detail / 8)
  }

  /// The picked frame as JPEG: JFIF, full range, BT.601 matrix, as decoders of JFIF expect.
  ///
  /// - Returns: nil where no frame was a candidate.
  consuming func finish() throws -> Transcode.CoverPicture? {
    guard let frame = best.take() else { return nil }
    let graph = try FilterGraph.video(
      "scale=in_color_matrix=bt709:in_range=limited:out_color_matrix=bt601:out_range=full"
        + ":flags=accurate_rnd+full_chroma_int,format=yuvj420p",
      from: frame.videoFormat(timeBase: Ratio(1, 30)), threads: 1)
    frame.pts = 0
    try graph.send(frame)
    try graph.sendEnd()
    guard case .value(let picture) = try graph.receive() else { throw TranscodeError.noFrames }
    let encoder = try Encoder.jpeg(size: picture.size, quality: 2)
    picture.pts = 0
    return Transcode.CoverPicture(
      jpeg: try encoder.encodeStill(picture), frame: bestPlace, score: bestScore)
  }
}
