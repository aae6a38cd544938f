import ReelsModel

/// The samples of one track on the clock.
struct Timeline: Sendable {
  let track: MP4Track
  /// In decode order; never empty.
  let samples: [MP4Sample]
  /// Seconds of a tick.
  let timeBase: Ratio
  /// Composition times in ascending order.
  let presentation: [Int64]
  /// The latest end of a sample, in ticks.
  let endTicks: Int64

  /// - Returns: nil where the track has no samples that were read, or a timescale of zero.
  init?(_ track: MP4Track) {
    guard let samples = track.table.samples, let timeBase = track.timeBase,
      let end = samples.lazy.map(\.end).max()
    else { return nil }
    self.track = track
    self.samples = samples
    self.timeBase = timeBase
    self.presentation = samples.map(\.compositionTime).sorted()
    self.endTicks = end
  }

  var startTicks: Int64 { presentation.first ?? 0 }
  var start: MediaTime { time(startTicks) }
  var end: MediaTime { time(endTicks) }
  var length: MediaTime { end - start }

  /// Of all frames the most that are decoded before it and shown after it: what the standards call
  /// `max_num_reorder_frames`. Looks back as far as a decoder can hold frames.
  var reorderedFrames: Int {
    var most = 0
    for index in samples.indices {
      let before = samples[max(0, index - 32)..<index]
      let time = samples[index].compositionTime
      most = max(most, before.reduce(0) { $0 + ($1.compositionTime > time ? 1 : 0) })
    }
    return most
  }

  func time(_ ticks: Int64) -> MediaTime { MediaTime(ticks: ticks, timeBase: timeBase) }

  /// Samples a second, from the first presented to the last; nil where all are at one time.
  var averageRate: Ratio? {
    guard let first = presentation.first, let last = presentation.last else { return nil }
    let span =
      samples.count > 1
      ? time(last - first).seconds / Ratio(Int64(samples.count) - 1) : length.seconds
    return span.isPositive ? span.inverted : nil
  }

  /// The bytes of all samples.
  var byteCount: Int64 { samples.reduce(0) { $0 + $1.size } }

  /// The first of the intervals that differs from the others, as a frame number in the order of
  /// presentation and what is wrong there.
  ///
  /// With no tolerance all intervals are equal in ticks, the last frame's duration included.
  func unevenInterval(tolerance: MediaTime) -> (frame: Int, found: String)? {
    guard presentation.count > 1, let first = presentation.first, let last = presentation.last
    else { return nil }
    let gaps = presentation.count - 1
    let mean = time(last - first).seconds / Ratio(Int64(gaps))
    let total = samples.reduce(0) { $0 + $1.duration }
    let trailing = total - (last - first)
    let step = presentation[1] - first
    for index in 0...gaps {
      let interval = index < gaps ? presentation[index + 1] - presentation[index] : trailing
      guard interval > 0 else { return (index, "a frame of no length") }
      let isEven: Bool
      if tolerance == .zero {
        isEven = interval == step
      } else {
        let difference = time(interval).seconds - mean
        isEven = max(difference, -difference) <= tolerance.seconds
      }
      if !isEven {
        let usual = tolerance == .zero ? time(step) : MediaTime(seconds: mean)
        return (
          index, "\(time(interval).decimals(6)) s where others last \(usual.decimals(6)) s"
        )
      }
    }
    return nil
  }
}
