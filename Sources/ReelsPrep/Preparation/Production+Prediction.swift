private import Foundation
internal import ReelsModel
internal import ReelsPipeline

extension Production {
  /// What the video will be.
  func prediction() async throws -> Prediction {
    let draft = Draft(
      job: job, recipe: recipe, limit: limit(nil), isGuiding: false)
    let samples = samples
    begins(.draft, draft.frames + samples.reduce(0) { $0 + $1.count })
    var budget = try await draft.run().budget
    func planned() -> Double { budget.crf(taking: limit(nil) * BitBudget.aim) }
    try await correct(&budget, by: samples, at: isBound ? planned() : budget.bestCRF)
    let crf = planned()
    let binds = isBound && crf > budget.bestCRF
    let rateFactor = binds ? crf : budget.bestCRF
    let bits = min(budget.forecast(at: rateFactor), limit(nil) * BitBudget.aim)
    let others = Double(cap) - limit(nil) / 8
    return Prediction(
      bytes: ByteCount(Int64(bits / 8 + others)), rateFactor: rateFactor,
      vmaf: QualityAdvice.vmaf(rateFactor: rateFactor), capBinds: binds)
  }

  /// Where no encode follows that learns: some of the GOPs that it would make, one in each part of the
  /// window, where that costs the least decoding.
  private var samples: [VideoPlan.EncodeRange] {
    let entries = survey.frames.entries
    let parts = min(max(1, job.video.frames / job.video.encoding.gopFrames), Self.mostSamples)
    let clock = job.video.clock
    var best = [(range: VideoPlan.EncodeRange, before: Int)?](repeating: nil, count: parts)
    for range in job.video.ranges {
      let end = range.first + range.count
      for first in stride(from: range.first, to: end, by: job.video.encoding.gopFrames) {
        guard let entry = job.video.entry(showing: first, of: entries) else { continue }
        let part = first * parts / max(1, job.video.frames)
        let before = max(0, first - clock.place(of: entry.pts))
        if before < best[part]?.before ?? .max {
          let count = min(job.video.encoding.gopFrames, end - first)
          best[part] = (VideoPlan.EncodeRange(first: first, count: count, entry: entry), before)
        }
      }
    }
    return best.compactMap { $0?.range }
  }

  private static let mostSamples = 6

  /// Makes the forecast what the samples really take.
  private func correct(
    _ budget: inout BitBudget, by samples: [VideoPlan.EncodeRange], at crf: Double
  ) async throws {
    var part = job
    part.cover = nil
    part.video.ranges = samples
    part.crfs = samples.map { _ in crf }
    let store = try await part.pictures().packets
    let layout = job.video.budgetLayout.units
    let share = exp2((budget.forecastCRF - crf) / budget.halving)
    // How many times the forecast each sample takes, for what is nearer to it than to another.
    let factors = samples.enumerated().map { list, sample in
      let bits = store.entries(of: list).reduce(1.0) { $0 + Double($1.bytes * 8) }
      let foreseen = zip(layout, budget.units).reduce(1.0) { sum, unit in
        (sample.first..<(sample.first + sample.count)).contains(unit.0.first)
          ? sum + unit.1.forecast * share : sum
      }
      return (place: sample.first + sample.count / 2, value: bits / foreseen)
    }
    for (index, unit) in layout.enumerated() {
      let middle = unit.first + unit.count / 2
      let nearest = factors.min { abs($0.place - middle) < abs($1.place - middle) }
      if let nearest { budget.units[index].forecast *= nearest.value }
    }
  }
}
