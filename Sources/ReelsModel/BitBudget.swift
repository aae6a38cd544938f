private import Foundation

/// How a video's bits are spent: asked before each unit of about half a second, it answers with the
/// quality that lands the whole just below its limit, as evenly as what is known allows.
///
/// A pure value. An answer depends only on the plan, the forecast and the results of units that lie
/// a fixed number of steps before, never on which lane happened to be faster: the same bytes come
/// from every machine.
public struct BitBudget: Hashable, Sendable {
  /// Half a second of video or so, and what it is expected to take.
  public struct Unit: Hashable, Sendable {
    /// Units of one lane follow one another; those of different lanes are made side by side.
    public var lane: Int
    /// The place within the lane, from 0.
    public var step: Int
    /// Expected bits at `forecastCRF`.
    public var forecast: Double

    public init(lane: Int, step: Int, forecast: Double) {
      self.lane = lane
      self.step = step
      self.forecast = forecast
    }
  }

  /// What became of a unit.
  public struct Outcome: Hashable, Sendable {
    public var bits: Double
    public var crf: Double

    public init(bits: Double, crf: Double) {
      self.bits = bits
      self.crf = crf
    }
  }

  /// In the order of presentation.
  public var units: [Unit]
  /// The constant rate factor to which the forecasts belong.
  public var forecastCRF: Double
  /// Steps of the rate factor that halve the bits.
  public var halving: Double
  /// The best quality wanted, as a rate factor: bits beyond it are left unspent.
  public var bestCRF: Double

  /// x264 halves the bits in about six steps on natural video.
  public static let usualHalving = 6.2
  /// x264's worst.
  public static let worstCRF = 51.0
  /// Where in the limit it aims, and how far off is close enough to leave the quality alone.
  public static let aim = 0.985
  static let tolerance = 0.006
  /// Other lanes' results are used from this many steps before on; less towards the end.
  static let distance = 6
  /// Units after which the influence of a surprise on what is expected elsewhere has faded.
  private static let reach = 8.0
  /// What it takes to be believed: of all of them together, this share of the bits; nearby, so many
  /// units.
  private static let (trust, localTrust) = (0.05, 1.5)
  /// Steps of the rate factor from one unit to the next: some, and more the farther the whole is off.
  private static let (slew, urgency) = (0.7, 16.0)
  /// The variance of the rate factor that it takes to believe in another slope, and slopes that occur:
  /// noise halves its bits within three steps.
  private static let slopeDoubt = 6.0
  private static let (leastHalving, mostHalving) = (1.5, 12.0)
  /// Steps from the mean so far.
  private static let (above, below) = (14.0, 8.0)
  /// Steps below what the forecast alone gives: a still that takes less than was thought must not spend
  /// what the noise after it needs.
  private static let belowPlan = 8.0

  public init(units: [Unit], forecastCRF: Double, halving: Double, bestCRF: Double) {
    self.units = units
    self.forecastCRF = forecastCRF
    self.halving = halving
    self.bestCRF = bestCRF
  }

  /// Bits expected of all units at one rate factor.
  public func forecast(at crf: Double) -> Double {
    units.reduce(0) { $0 + $1.forecast } * exp2((forecastCRF - crf) / halving)
  }

  /// The rate factor at which the forecast takes `bits` exactly, within what is wanted.
  public func crf(taking bits: Double) -> Double {
    crf(expecting: units.reduce(0) { $0 + $1.forecast }, for: bits, halving: halving)
  }

  /// Steps of the rate factor that halve the bits, as far as results tell.
  public func halving(after outcomes: [Outcome?]) -> Double {
    halving(outcomes.enumerated().compactMap { place, outcome in outcome.map { (place, $0) } })
  }

  /// The units whose results the answer for one unit rests on.
  public func basis(of index: Int) -> [Int] {
    let unit = units[index]
    let last = units.reduce(0) { $1.lane == unit.lane ? max($0, $1.step) : $0 }
    let distance = max(1, min(Self.distance, last - unit.step + 1))
    return units.indices.filter {
      units[$0].lane == unit.lane
        ? units[$0].step < unit.step : units[$0].step <= unit.step - distance
    }
  }

  /// The rate factor for one unit.
  ///
  /// - Parameters:
  ///   - limit: bits that all units may take together.
  ///   - outcomes: of at least the units in `basis(of:)`; others are not looked at.
  public func crf(for index: Int, limit: Double, outcomes: [Outcome?]) -> Double {
    let known = basis(of: index).compactMap { place in outcomes[place].map { (place, $0) } }
    let halving = halving(known)
    func factor(_ crf: Double) -> Double { exp2((forecastCRF - crf) / halving) }
    let spent = known.reduce(0) { $0 + $1.1.bits }
    var isKnown = [Bool](repeating: false, count: units.count)
    for (place, _) in known { isKnown[place] = true }
    let surprises = Surprises(
      known.map { place, outcome in
        (place, max(1, outcome.bits), max(1, units[place].forecast * factor(outcome.crf)))
      },
      count: units.count,
      total: units.reduce(0) { $0 + $1.forecast } * factor(known.last?.1.crf ?? forecastCRF),
      trust: Self.trust, localTrust: Self.localTrust, reach: Self.reach)
    let expected = units.indices.reduce(0.0) { sum, place in
      isKnown[place] ? sum : sum + units[place].forecast * surprises.corrections[place]
    }
    let wanted = crf(expecting: expected, for: limit * Self.aim - spent, halving: halving)
    guard let current = previous(of: index, outcomes) else { return wanted }
    let total = spent + expected * factor(current)
    let isGood = abs(total / limit - Self.aim) < Self.tolerance
    let isFree = wanted <= bestCRF && current <= bestCRF
    if isGood || isFree { return max(bestCRF, current) }
    let mean = known.reduce(0) { $0 + $1.1.crf } / Double(max(1, known.count))
    let slew = Self.slew + Self.urgency * abs(min(total / limit, 1.25) - Self.aim)
    let next = min(max(wanted, current - slew), current + slew)
    let planned = crf(taking: limit * Self.aim) - Self.belowPlan
    return min(max(next, mean - Self.below, planned, bestCRF), mean + Self.above, Self.worstCRF)
  }

  // MARK: The model

  /// The slope of what the units have taken over their rate factors, as far as those differed.
  private func halving(_ known: [(Int, Outcome)]) -> Double {
    let points = known.map { place, outcome in
      (
        x: outcome.crf, y: log2(max(1, outcome.bits) / max(1, units[place].forecast)),
        weight: units[place].forecast.squareRoot()
      )
    }
    let sum = points.reduce(0) { $0 + $1.weight }
    guard sum > 0 else { return halving }
    let meanX = points.reduce(0) { $0 + $1.x * $1.weight } / sum
    let meanY = points.reduce(0) { $0 + $1.y * $1.weight } / sum
    let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) * $1.weight }
    let together = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) * $1.weight }
    let doubt = Self.slopeDoubt * sum
    let slope = (together - doubt / halving) / (spread + doubt)
    return 1 / min(max(-slope, 1 / Self.mostHalving), 1 / Self.leastHalving)
  }

  private func crf(expecting bits: Double, for limit: Double, halving: Double) -> Double {
    guard limit > 0 else { return Self.worstCRF }
    let exact = forecastCRF + halving * log2(max(1, bits) / limit)
    return min(max(exact, bestCRF), Self.worstCRF)
  }

  /// The rate factor of the unit before in the same lane.
  private func previous(of index: Int, _ outcomes: [Outcome?]) -> Double? {
    let unit = units[index]
    guard
      let before = units.firstIndex(where: { $0.lane == unit.lane && $0.step == unit.step - 1 })
    else { return nil }
    return outcomes[before]?.crf
  }
}

/// How far results were from what was expected: all together, and in each neighbourhood.
private struct Surprises {
  /// What the forecast of each unit is to be multiplied by.
  private(set) var corrections: [Double]

  /// Of the bits, in a neighbourhood.
  private static let weighing = 0.6

  init(
    _ results: [(place: Int, bits: Double, expected: Double)], count: Int, total: Double,
    trust: Double, localTrust: Double, reach: Double
  ) {
    corrections = Array(repeating: 1, count: count)
    guard !results.isEmpty else { return }
    let logs = results.map { log($0.bits / $0.expected) }
    let expected = results.reduce(0) { $0 + $1.expected }
    let everywhere =
      zip(logs, results).reduce(0) { $0 + $1.0 * $1.1.expected } / (expected + trust * total)
    // Weighed by bits: a still that takes a tenth of the little it was expected to says nothing of
    // the noise after it.
    let weighed = results.map { pow($0.expected, Self.weighing) }
    let doubt = localTrust * pow(total / Double(count), Self.weighing)
    var (sums, weights) = (
      [Double](repeating: 0, count: count), [Double](repeating: 0, count: count)
    )
    for (index, result) in results.enumerated() {
      sums[result.place] = (logs[index] - everywhere) * weighed[index]
      weights[result.place] = weighed[index]
    }
    let decay = exp(-1 / reach)
    (sums, weights) = (Self.spread(sums, decay: decay), Self.spread(weights, decay: decay))
    for place in 0..<count {
      corrections[place] = exp(everywhere + sums[place] / (weights[place] + doubt))
    }
  }

  /// Each value's influence on its neighbours falls by `decay` from one place to the next.
  private static func spread(_ values: [Double], decay: Double) -> [Double] {
    var result = values
    var carried = 0.0
    for place in values.indices {
      result[place] += carried
      carried = (carried + values[place]) * decay
    }
    carried = 0
    for place in values.indices.reversed() {
      result[place] += carried
      carried = (carried + values[place]) * decay
    }
    return result
  }
}
