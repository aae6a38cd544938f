import ReelsModel

/// The most bits that any second of a file holds, over all its tracks.
struct PeakBitRate: Hashable, Sendable {
  let rate: BitsPerSecond
  /// When that second starts, in decode order.
  let start: MediaTime

  /// Slides a window of one second, without its end, over the decode times. A window that holds the
  /// most starts at a sample, so every sample starts one.
  ///
  /// - Returns: nil where no track has samples.
  init?(of timelines: [Timeline]) {
    var best: (bytes: Int64, start: MediaTime)?
    for anchor in timelines {
      var windows = timelines.map { SlidingSum(timeline: $0) }
      for sample in anchor.samples {
        var bytes: Int64 = 0
        for index in windows.indices {
          bytes += windows[index].bytes(
            from: sample.decodeTime, second: Int64(anchor.track.timescale))
        }
        if bytes > best?.bytes ?? -1 { best = (bytes, anchor.time(sample.decodeTime)) }
      }
    }
    guard let best else { return nil }
    self.rate = BitsPerSecond(best.bytes.multipliedReportingOverflow(by: 8).partialValue)
    self.start = best.start
  }
}

/// The bytes of one track's samples in a window that only moves forward.
private struct SlidingSum {
  private let samples: [MP4Sample]
  private let timescale: Int64
  private var first = 0
  private var next = 0
  private var sum: Int64 = 0

  init(timeline: Timeline) {
    self.samples = timeline.samples
    self.timescale = Int64(timeline.track.timescale)
  }

  /// The bytes decoded from `start` up to a second later, in ticks of which `second` make a second.
  mutating func bytes(from start: Int64, second: Int64) -> Int64 {
    while next < samples.count, isEarlier(samples[next], than: start + second, second) {
      sum += samples[next].size
      next += 1
    }
    while first < next, isEarlier(samples[first], than: start, second) {
      sum -= samples[first].size
      first += 1
    }
    return sum
  }

  /// Compares times of two clocks without rounding.
  private func isEarlier(_ sample: MP4Sample, than ticks: Int64, _ second: Int64) -> Bool {
    let left = sample.decodeTime.multipliedFullWidth(by: second)
    let right = ticks.multipliedFullWidth(by: timescale)
    return (left.high, left.low) < (right.high, right.low)
  }
}
