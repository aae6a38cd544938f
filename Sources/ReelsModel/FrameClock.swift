/// Decides at which places of the constant-rate output each source frame is shown.
///
/// Place k shows the last source frame whose time, rounded to the output's grid, is at or before k:
/// an event is at most half an output frame from its true time. Place 0 shows the frame on show at the
/// start, whatever comes right after it. A frame's run of places is known when the next one arrives, so
/// the clock holds one frame back.
package struct FrameClock: Sendable {
  /// The places that one frame takes.
  package struct Run: Hashable, Sendable {
    package var first: Int
    package var count: Int

    package init(first: Int, count: Int) {
      self.first = first
      self.count = count
    }
  }

  /// What to do when a frame has arrived.
  package enum Action: Hashable, Sendable {
    /// Drop the held frame and hold the new one.
    case replace
    /// Show the held frame for these places, then hold the new one.
    case show(Run)
    /// Drop the new frame; the held one stays.
    case ignore
    /// Show the held frame for these places; nothing more is needed.
    case finish(Run)
  }

  private let start: MediaTime
  private let rate: Ratio
  /// The places to fill: the whole output, or a range of it.
  private let places: Range<Int>
  /// Where the held frame's run begins; nil before the first frame.
  private var held: Int?
  private var heldTime = MediaTime.zero

  /// - Parameters:
  ///   - start: the time of place 0, in the source's own time.
  ///   - places: the places to fill.
  package init(start: MediaTime, rate: Ratio, places: Range<Int>) {
    self.start = start
    self.rate = rate
    self.places = places
  }

  /// The place nearest to a source time; halves go to the later one.
  package func place(of time: MediaTime) -> Int {
    let place = ((time - start).seconds * rate).rounded
    return Int(max(-1_000_000_000, min(place, 1_000_000_000)))
  }

  /// Tells the clock of a frame, in presentation order.
  package mutating func push(_ time: MediaTime) -> Action {
    // Frames before the first place can only be the one on show at it.
    let next = max(places.lowerBound, place(of: time))
    guard let first = held, time > heldTime else {
      if held != nil { return .ignore }
      (held, heldTime) = (places.lowerBound, time)
      return .replace
    }
    heldTime = time
    let isAtStart = first == 0 && time > start
    if next <= first, !isAtStart { return .replace }
    let begin = max(next, first + 1)
    if begin >= places.upperBound {
      return .finish(Run(first: first, count: places.upperBound - first))
    }
    held = begin
    return .show(Run(first: first, count: begin - first))
  }

  /// The run of the held frame, when the source has ended: to the last place.
  ///
  /// nil where no frame ever came.
  package func finish() -> Run? {
    held.map { Run(first: $0, count: places.upperBound - $0) }
  }
}
