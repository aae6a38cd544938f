/// How a track's frames follow each other: at a constant rate, or not.
public struct Cadence: Hashable, Sendable {
  /// The real rate, where the time stamps lie on an even grid within their own rounding.
  public let constantRate: Ratio?
  /// The interval that half of the frames do not exceed; nil for fewer than two frames.
  public let medianInterval: MediaTime?

  /// What a survey has already found.
  public init(constantRate: Ratio?, medianInterval: MediaTime?) {
    self.constantRate = constantRate
    self.medianInterval = medianInterval
  }

  /// The rates of film, television and computers.
  static let standardRates: [Ratio] = [
    Ratio(24000, 1001), Ratio(24), Ratio(25), Ratio(30000, 1001), Ratio(30), Ratio(48), Ratio(50),
    Ratio(60000, 1001), Ratio(60),
  ]

  private static let otherCommonRates: [Ratio] = [
    Ratio(15), Ratio(12), Ratio(10), Ratio(15000, 1001), Ratio(25, 2), Ratio(20), Ratio(5),
    Ratio(1), Ratio(120), Ratio(120000, 1001), Ratio(240), Ratio(240000, 1001), Ratio(90),
    Ratio(100),
  ]

  /// - Parameters:
  ///   - times: presentation time stamps in ticks, in any order; repeats count once.
  ///   - statedRate: what the container claims, tried after the usual rates.
  public init(times: [Int64], timeBase: Ratio, statedRate: Ratio?) {
    let sorted = Array(Set(times)).sorted()
    guard let first = sorted.first, let last = sorted.last, sorted.count >= 2 else {
      constantRate = nil
      medianInterval = nil
      return
    }
    let intervals = zip(sorted.dropFirst(), sorted).map { $0 &- $1 }.sorted()
    let median = intervals[(intervals.count - 1) / 2]
    medianInterval = MediaTime(ticks: median, timeBase: timeBase)

    if let smallest = intervals.first, smallest == intervals.last {
      // Every interval is the same number of ticks; in a coarse time base that may still be the
      // rounding of a usual rate, as 33 ms of three frames at 30.
      let exact = (Ratio(smallest) * timeBase).inverted
      constantRate =
        Self.fitting(sorted, timeBase: timeBase, statedRate: statedRate, coarse: smallest < 600)
        ?? exact
      return
    }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, span > 0 else {
      constantRate = nil
      return
    }
    constantRate = Self.fitting(sorted, timeBase: timeBase, statedRate: statedRate, coarse: true)
  }

  /// The first candidate on whose grid every time stamp lies within one tick.
  private static func fitting(
    _ sorted: [Int64], timeBase: Ratio, statedRate: Ratio?, coarse: Bool
  ) -> Ratio? {
    guard coarse, let first = sorted.first, let last = sorted.last else { return nil }
    let mean =
      (Ratio(Int64(sorted.count - 1)) / (Ratio(last &- first) * timeBase))
    let candidates =
      standardRates + otherCommonRates + [statedRate].compactMap { $0 } + [mean]
    return candidates.first { rate in
      guard let interval = rate.inverted else { return false }
      let ticks = (interval / timeBase).doubleValue
      // The phase of the grid is free by half a tick either way of the first time stamp.
      var (low, high) = (-0.5, 0.5)
      for (index, time) in sorted.enumerated() {
        let error = Double(time &- first) - Double(index) * ticks
        low = max(low, error - 0.5)
        high = min(high, error + 0.5)
        // Truncated rather than rounded stamps need a whole tick.
        if low > high + 0.01 { return false }
      }
      return true
    }
  }

  /// The output's rate: the source's real rate where that is constant and in 23–60.
  ///
  /// From 60 to 60.5 it is 60; above, divided by the smallest integer that gives at most 60; below
  /// 23, multiplied by the smallest integer that gives 23 or more. A variable rate becomes the
  /// standard rate nearest to one over the median interval.
  public func outputRate(minimum: Double, maximum: Double) -> Ratio {
    let fallback = Ratio(30)
    guard let constantRate, constantRate.isPositive else {
      guard let interval = medianInterval, let rate = interval.seconds.inverted, rate.isPositive
      else { return fallback }
      let allowed = Self.standardRates.filter {
        $0.doubleValue >= minimum && $0.doubleValue <= maximum
      }
      return allowed.min {
        abs($0.doubleValue - rate.doubleValue) < abs($1.doubleValue - rate.doubleValue)
      } ?? fallback
    }
    let rate = constantRate.doubleValue
    if rate > maximum {
      if rate <= maximum + 0.5 { return Ratio(Int64(maximum)) }
      return constantRate / Ratio(Int64((rate / maximum).rounded(.up)))
    }
    if rate < minimum {
      // A hostile rate near zero would need an endless multiple.
      let factor = (minimum / rate).rounded(.up)
      return factor <= 1e6 ? constantRate * Ratio(Int64(factor)) : fallback
    }
    return constantRate
  }
}
