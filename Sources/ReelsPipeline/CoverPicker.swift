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
  /// Of this range: what one range holds must not decide what is looked at in another, whoever makes it.
  private var rangeScore = -1.0
  /// The last candidate, whose neighbour after it has not come.
  private var pending: Candidate?

  private struct Candidate: ~Copyable {
    let frame: Frame
    let place: Int
    /// How it looks from far.
    let grid: [Double]
    let score: Double
    /// How far it differs from the candidate before it; 0 for the first of a range.
    let change: Double

    consuming func takeFrame() -> Frame { frame }
  }

  /// Four candidates a second.
  private static let candidateSeconds = Ratio(1, 4)
  /// Below, a picture is as good as black.
  static let darkScore = 0.15
  /// Steps of luma from one candidate to the next, in the mean, that halve a score: a cross-fade, a fade
  /// or a wipe takes 15 and more.
  private static let halvingChange = 10.0

  init(choice: CoverChoice, rate: Ratio, total: Int) {
    self.choice = choice
    self.rate = rate
    self.total = total
  }

  /// Candidates are counted from the first place of each range, whoever encodes it.
  mutating func beginRange(at place: Int) {
    decide(next: nil)
    nextCandidate = place
    rangeScore = -1
  }

  /// Looks at a frame that takes the places of `run`.
  mutating func consider(_ frame: borrowing Frame, _ run: FrameClock.Run) throws {
    switch choice {
    case .time(let time):
      let wanted = Int(min(max((time.seconds * rate).floor, 0), Int64(total - 1)))
      if run.first <= wanted, wanted < run.first + run.count {
        best = try frame.shared()
        bestPlace = wanted
      }
    case .auto:
      let end = run.first + run.count
      let isDue = nextCandidate < end
      // As long as there is nothing but darkness, a single lit frame will do.
      guard isDue || (rangeScore < Self.darkScore && (pending?.score ?? 0) < Self.darkScore) else {
        return
      }
      let place = max(run.first, min(nextCandidate, end - 1))
      let step = max(1, Int((Self.candidateSeconds * rate).rounded))
      if isDue { nextCandidate += max(1, (end - nextCandidate + step - 1) / step) * step }
      let grid = frame.lumaGrid
      let change = decide(next: grid)
      // Half as good at the end as at the start.
      let score = Self.score(frame.lumaStatistics(in: Self.core(of: frame.size)))
      pending = Candidate(
        frame: try frame.shared(), place: place, grid: grid,
        score: score * (1 - 0.5 * Double(place) / Double(total)), change: change)
    }
  }

  /// Takes the last candidate where it is the best, now that its neighbour is known.
  ///
  /// - Returns: how far the two differ.
  @discardableResult private mutating func decide(next grid: [Double]?) -> Double {
    guard let candidate = pending.take() else { return 0 }
    let change =
      grid.map { grid in
        zip(grid, candidate.grid).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(max(1, grid.count))
      } ?? 0
    let score = candidate.score / (1 + max(change, candidate.change) / Self.halvingChange)
    rangeScore = max(rangeScore, score)
    if score > bestScore {
      bestPlace = candidate.place
      bestScore = score
      best = candidate.takeFrame()
    }
    return change
  }

  /// What is left of a picture by a crop to 9:16 and by one to 1:1, as profiles and shares show covers.
  static func core(of size: PixelSize) -> PixelRect {
    let width = min(size.width, size.height, size.height * 9 / 16)
    let height = min(size.height, size.width)
    return PixelRect(
      x: (size.width - width) / 2, y: (size.height - height) / 2,
      size: PixelSize(width: width, height: height))
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
    decide(next: nil)
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
