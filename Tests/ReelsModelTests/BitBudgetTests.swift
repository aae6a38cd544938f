import Foundation
import ReelsModel
import Testing

/// A video whose bits follow a profile, encoded by the budget as the lanes do it.
private struct Simulation {
  /// What each unit really takes at the forecast's rate factor.
  var truth: [Double]
  /// What was foreseen.
  var forecast: [Double]
  /// How the bits really follow the rate factor.
  var halving = 6.2
  var forecastCRF = 25.0
  var bestCRF = 18.0
  var unitsInRange = 20
  /// Units at a range's end that come out of the encoder while it is drained.
  var drained = 2

  struct Result {
    /// Of the limit.
    var share: Double
    var crfs: [Double]

    var deviation: Double {
      let mean = crfs.reduce(0, +) / Double(crfs.count)
      return (crfs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(crfs.count)).squareRoot()
    }
  }

  func run(limit: Double) -> Result {
    var steps = [0, 0]
    let units = forecast.enumerated().map { index, bits in
      let lane = index / unitsInRange % 2
      defer { steps[lane] += 1 }
      return BitBudget.Unit(lane: lane, step: steps[lane], forecast: bits)
    }
    let budget = BitBudget(
      units: units, forecastCRF: forecastCRF, halving: BitBudget.usualHalving, bestCRF: bestCRF)
    var outcomes = [BitBudget.Outcome?](repeating: nil, count: units.count)
    let order = units.indices.sorted {
      (units[$0].step, units[$0].lane) < (units[$1].step, units[$1].lane)
    }
    for index in order {
      let place = index % unitsInRange
      let isDrained = place > 0 && place >= unitsInRange - drained
      let crf =
        isDrained
        ? outcomes[index - 1]?.crf ?? forecastCRF
        : budget.crf(for: index, limit: limit, outcomes: outcomes)
      outcomes[index] = BitBudget.Outcome(
        bits: truth[index] * exp2((forecastCRF - crf) / halving), crf: crf)
    }
    return Result(
      share: outcomes.reduce(0) { $0 + ($1?.bits ?? 0) } / limit,
      crfs: outcomes.map { $0?.crf ?? 0 })
  }
}

@Suite struct BitBudgetTests {
  /// Scenes of random length and hardness, and a forecast that errs in level and in each unit.
  private static func scenes(
    _ random: inout SplitMix, error: Double, bias: ClosedRange<Double>
  ) -> Simulation {
    var truth: [Double] = []
    while truth.count < 120 {
      let level = exp(Double.random(in: -1.5...1.5, using: &random)) * 100_000
      for place in 0..<Int.random(in: 2...40, using: &random) {
        truth.append(
          level * (place % 4 == 0 ? 2 : 1) * Double.random(in: 0.8...1.2, using: &random))
      }
    }
    truth = Array(truth.prefix(120))
    let scale = exp(Double.random(in: log(bias.lowerBound)...log(bias.upperBound), using: &random))
    let forecast = truth.map { $0 * scale * exp(Double.random(in: -error...error, using: &random)) }
    return Simulation(truth: truth, forecast: forecast)
  }

  @Test func `hundreds of profiles land in the last percents, and none far above`() {
    var random = SplitMix(seed: 3)
    var (landed, worst) = (0, 0.0)
    for _ in 0..<400 {
      var video = Self.scenes(&random, error: 0.5, bias: 0.5...2)
      video.halving = Double.random(in: 5...7.5, using: &random)
      let limit = video.truth.reduce(0, +) * Double.random(in: 0.2...1.5, using: &random)
      let result = video.run(limit: limit)
      worst = max(worst, result.share)
      if (0.97...1).contains(result.share) { landed += 1 }
    }
    // The rest is the repair's work.
    #expect(landed >= 340, "\(landed)")
    #expect(worst < 1.05, "\(worst)")
  }

  @Test func `what is foreseen exactly is encoded evenly`() {
    var random = SplitMix(seed: 4)
    for _ in 0..<200 {
      let video = Self.scenes(&random, error: 0, bias: 1...1)
      let result = video.run(limit: video.truth.reduce(0, +) * 0.6)
      #expect(result.deviation < 0.05, "\(result.deviation)")
      #expect((0.975...1).contains(result.share), "\(result.share)")
    }
  }

  @Test func `a level that was foreseen wrongly is learned without swinging`() {
    var random = SplitMix(seed: 5)
    for bias in [0.5, 0.7, 1.4, 2] {
      var deviations = 0.0
      for _ in 0..<50 {
        let video = Self.scenes(&random, error: 0.3, bias: bias...bias)
        let result = video.run(limit: video.truth.reduce(0, +) * 0.7)
        deviations += result.deviation
        // From one unit of a lane to the next; ranges of the other lane lie between.
        let steps = zip(result.crfs, result.crfs.dropFirst()).enumerated().filter {
          ($0.offset + 1) % 20 != 0
        }.map { $0.element.1 - $0.element.0 }
        let turns = zip(steps, steps.dropFirst()).filter {
          $0 * $1 < 0 && min(abs($0), abs($1)) > 1
        }
        #expect(turns.count <= 4, "\(bias): \(turns)")
      }
      #expect(deviations / 50 < 2, "\(bias): \(deviations / 50)")
    }
  }

  @Test(arguments: ["noise", "hard ending", "easy ending", "cut", "still"])
  func `kinds of video land where they should`(kind: String) {
    let truth: [Double] = (0..<120).map { place in
      let key = place % 4 == 0 ? 3.0 : 1
      return switch kind {
      case "noise": 800_000
      case "hard ending": (place < 100 ? 20_000 : 900_000) * key
      case "easy ending": (place < 30 ? 700_000 : 20_000) * key
      case "cut": (place < 60 ? 100_000 : 300_000) * key
      default: place % 4 == 0 ? 900_000 : 4_000
      }
    }
    // As the small picture foresees it: the hard parts less than they are.
    let forecast = truth.map { pow($0, 0.9) * 3 }
    var video = Simulation(truth: truth, forecast: forecast)
    if kind == "noise" { video.halving = 3.5 }
    let result = video.run(limit: truth.reduce(0, +) * 0.5)
    #expect((0.96...1.01).contains(result.share), "\(kind): \(result.share)")
  }

  @Test func `no bits are spent beyond the quality wanted`() {
    let video = Simulation(
      truth: Array(repeating: 100_000, count: 120), forecast: Array(repeating: 90_000, count: 120))
    let result = video.run(limit: 1e9)
    #expect(result.crfs.allSatisfy { $0 == 18 })
  }

  @Test func `an answer rests on its basis alone`() {
    let units = (0..<120).map {
      BitBudget.Unit(lane: $0 / 20 % 2, step: $0 / 40 * 20 + $0 % 20, forecast: 100_000)
    }
    let budget = BitBudget(units: units, forecastCRF: 25, halving: 6.2, bestCRF: 18)
    var random = SplitMix(seed: 6)
    let known = units.map { _ in
      BitBudget.Outcome(
        bits: Double.random(in: 50_000...200_000, using: &random),
        crf: Double.random(in: 22...28, using: &random)) as BitBudget.Outcome?
    }
    for index in units.indices {
      let basis = Set(budget.basis(of: index))
      // Earlier steps alone, so that no two lanes can wait for each other.
      #expect(basis.allSatisfy { units[$0].step < units[index].step })
      let least = known.indices.map { basis.contains($0) ? known[$0] : nil }
      #expect(
        budget.crf(for: index, limit: 9e6, outcomes: known)
          == budget.crf(for: index, limit: 9e6, outcomes: least))
    }
  }

  @Test func `a limit that is spent already asks for the worst quality, not for nonsense`() {
    let units = (0..<8).map { BitBudget.Unit(lane: 0, step: $0, forecast: 1_000) }
    let budget = BitBudget(units: units, forecastCRF: 25, halving: 6.2, bestCRF: 18)
    var outcomes = [BitBudget.Outcome?](repeating: nil, count: 8)
    for index in 0..<6 { outcomes[index] = BitBudget.Outcome(bits: 10_000, crf: 40) }
    let crf = budget.crf(for: 6, limit: 30_000, outcomes: outcomes)
    #expect((40...51).contains(crf))
    #expect(budget.crf(for: 0, limit: 0, outcomes: []) == 51)
  }
}
