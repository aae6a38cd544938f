package import ReelsModel

/// When each frame of a synthesised clip is shown, from the first one on.
package struct ClipClock: Sendable {
  /// Seconds of one tick.
  package let timeBase: Ratio
  /// The ticks at which the frames are shown, rising from 0.
  package let ticks: [Int64]
  /// The ticks for which the last frame is shown.
  package let lastTicks: Int64
  /// The rate, where all intervals are equal.
  package let constantRate: Ratio?

  /// `frames` frames at equal intervals.
  package static func constant(_ rate: Ratio, frames: Int) -> ClipClock {
    ClipClock(
      timeBase: Ratio(rate.den, rate.num), ticks: (0..<Int64(frames)).map { $0 }, lastTicks: 1,
      constantRate: rate)
  }

  /// As many whole frames at equal intervals as fit into `seconds`.
  package static func constant(_ rate: Ratio, seconds: Int64) -> ClipClock {
    .constant(rate, frames: Int((rate * Ratio(seconds)).floor))
  }

  /// A frame at each of these milliseconds, which rise from 0; the last one is shown as long as the
  /// one before it.
  package static func variable(milliseconds: [Int64]) -> ClipClock {
    precondition(milliseconds.first == 0, "the first frame is shown at 0")
    precondition(zip(milliseconds, milliseconds.dropFirst()).allSatisfy(<), "frame times rise")
    let last = milliseconds.suffix(2)
    return ClipClock(
      timeBase: Ratio(1, 1000), ticks: milliseconds,
      lastTicks: last.count == 2 ? last[last.endIndex - 1] - last[last.startIndex] : 40,
      constantRate: nil)
  }

  package var count: Int { ticks.count }

  package func time(of frame: Int) -> MediaTime {
    MediaTime(ticks: ticks[frame], timeBase: timeBase)
  }

  package var duration: MediaTime {
    MediaTime(ticks: (ticks.last ?? 0) + lastTicks, timeBase: timeBase)
  }

  /// The frame on show at `time`; the first one before the start, the last one after the end.
  package func frame(at time: MediaTime) -> Int {
    (ticks.lastIndex { MediaTime(ticks: $0, timeBase: timeBase) <= time }) ?? 0
  }

  /// The frame that begins nearest to `time`.
  package func frame(nearest time: MediaTime) -> Int {
    let before = frame(at: time)
    guard before + 1 < count else { return before }
    return self.time(of: before + 1) - time < time - self.time(of: before) ? before + 1 : before
  }

  /// What a raw stream without time stamps is read with.
  var inputArguments: [String] {
    let rate = constantRate ?? Ratio(25)
    return ["-framerate", "\(rate.num)/\(rate.den)"]
  }

  /// The filter that gives the frames of a raw stream their times; nil where none is needed.
  var filter: String? {
    guard constantRate == nil else { return nil }
    return "settb=\(timeBase.num)/\(timeBase.den),setpts=\(expression(0..<count))"
  }

  /// What keeps those times up to the container.
  var outputArguments: [String] {
    constantRate == nil
      ? ["-fps_mode", "passthrough", "-enc_time_base", "\(timeBase.num):\(timeBase.den)"] : []
  }

  /// libavutil's expression for the tick of frame N: a search tree, as a list would be too deep.
  private func expression(_ range: Range<Int>) -> String {
    guard range.count > 1 else { return "\(ticks[range.lowerBound])" }
    let middle = range.lowerBound + range.count / 2
    let (low, high) = (range.lowerBound..<middle, middle..<range.upperBound)
    return "if(lt(N\\,\(middle))\\,\(expression(low))\\,\(expression(high)))"
  }
}
