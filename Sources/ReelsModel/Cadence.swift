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

    if let smallest = intervals.first, smallest == intervals.last,
      let exact = (Ratio(smallest) * timeBase).inverted
    {
      // Every interval is the same number of ticks. Of a few frames that may still be the rounding
      // of a usual rate, as 33 ms of three frames at 30.
      let isUsual = (Self.standardRates + Self.otherCommonRates).contains(exact)
      let rounded =
        isUsual || sorted.count > Self.fewFrames
        ? nil : Self.usual(sorted, timeBase: timeBase, statedRate: statedRate)
      constantRate = rounded ?? Self.simple(exact, tolerance: 1e-7)
      return
    }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, span > 0 else {
      constantRate = nil
      return
    }
    constantRate =
      Self.usual(sorted, timeBase: timeBase, statedRate: statedRate)
      ?? Self.unusual(sorted, timeBase: timeBase)
  }

  /// Frames in which every rate of film and television shows its rounding to milliseconds.
  private static let fewFrames = 12

  /// Time stamps on a grid differ from it by less than a tick, rounded or truncated: what is above
  /// one tick is for floating point.
  private static let largestSpread = 1.01

  /// How far the time stamps stray, in ticks, from a grid of this many ticks whose phase is free.
  private static func spread(_ sorted: [Int64], ticks: Double, limit: Double) -> Double {
    guard let first = sorted.first else { return 0 }
    var (low, high) = (0.0, 0.0)
    for (index, time) in sorted.enumerated() {
      let error = Double(time &- first) - Double(index) * ticks
      low = min(low, error)
      high = max(high, error)
      if high - low > limit { return .infinity }
    }
    return high - low
  }

  /// The first known rate on whose grid the time stamps lie.
  private static func usual(_ sorted: [Int64], timeBase: Ratio, statedRate: Ratio?) -> Ratio? {
    (standardRates + otherCommonRates + [statedRate].compactMap { $0 }).first { rate in
      guard rate.isPositive, let interval = rate.inverted else { return false }
      let ticks = (interval / timeBase).doubleValue
      return spread(sorted, ticks: ticks, limit: largestSpread) <= largestSpread
    }
  }

  /// Any other rate on whose grid the time stamps lie.
  private static func unusual(_ sorted: [Int64], timeBase: Ratio) -> Ratio? {
    guard let first = sorted.first, let last = sorted.last else { return nil }
    let count = Double(sorted.count - 1)
    let mean = Double(last &- first) / count
    // First and last are each off by up to half a tick, so the mean interval is near, not right.
    guard spread(sorted, ticks: mean, limit: 2 * largestSpread).isFinite else { return nil }
    // The spread is a convex function of the interval: narrowed from both sides to its minimum.
    var (low, high) = (mean - 1 / count, mean + 1 / count)
    for _ in 0..<40 {
      let (left, right) = (low + (high - low) / 3, high - (high - low) / 3)
      if spread(sorted, ticks: left, limit: .infinity)
        < spread(sorted, ticks: right, limit: .infinity)
      {
        high = right
      } else {
        low = left
      }
    }
    let ticks = (low + high) / 2
    guard spread(sorted, ticks: ticks, limit: largestSpread).isFinite else { return nil }
    let seconds = ticks * timeBase.doubleValue
    guard seconds > 0 else { return nil }
    // A tenth of a millisecond over all frames is as good as exact.
    return simple(
      Ratio(approximating: 1 / seconds), tolerance: max(1e-7, 1e-4 / (seconds * count)))
  }

  /// contract.md, "Copying".
  private static let evenSeconds = 0.001

  /// The rate on whose grid, from the first of them on, all time stamps lie within a millisecond: near
  /// enough to copy the frames, where it is no constant rate for the clock that wrote them.
  ///
  /// - Parameter times: in ticks, sorted.
  public static func evenRate(times: [Int64], timeBase: Ratio) -> Ratio? {
    guard let first = times.first, let last = times.last, times.count >= 2, last > first else {
      return nil
    }
    let tick = timeBase.doubleValue
    let count = Double(times.count - 1)
    let mean = (Double(last) - Double(first)) * tick / count
    guard mean > 0 else { return nil }
    let exact = simple(Ratio(approximating: 1 / mean), tolerance: max(1e-7, 1e-4 / (mean * count)))
    return (standardRates + [exact]).first { rate in
      let interval = 1 / rate.doubleValue
      return times.enumerated().allSatisfy { index, time in
        let off = (Double(time) - Double(first)) * tick - Double(index) * interval
        return abs(off) <= evenSeconds
      }
    }
  }

  /// A rate as near as `tolerance`, relative, in numbers that encoders and time scales can hold.
  private static func simple(_ rate: Ratio, tolerance: Double) -> Ratio {
    guard rate.num > 1_000_000 else { return rate }
    let near = [1, 1_000, 10_000, 100_000].lazy
      .compactMap { Ratio((rate * Ratio($0)).rounded, over: $0) }
      .first { abs($0.doubleValue / rate.doubleValue - 1) <= tolerance }
    return near ?? Ratio((rate * Ratio(1_000_000)).rounded, over: 1_000_000) ?? rate
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
