private import Foundation
internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Makes the video file: a draft, one encode by the budget, and a repair where it lands outside of the
/// last percents below its cap.
struct Production: Sendable {
  private(set) var job: Transcode
  let plan: Plan
  let survey: VideoSurvey
  /// What makes `job`'s pictures.
  let recipe: FilterRecipe
  /// How many times the forecast a second may come to take.
  var peakDoubt = 1.5
  /// From this share of the cap on, a file uses it well.
  var wellUsed = 0.9705
  /// Told of each phase and its frames, which `job.progress` counts.
  var begins: @Sendable (ProgressMeter.Phase, Int) -> Void = { _, _ in }
  /// Stops the work where the draft foresees less than is wanted.
  var accept: @Sendable (QualityAdvice) throws -> Void = { _ in }

  struct Made: Sendable {
    var result: Transcode.Result
    /// Frames that entered an encoder, weighted by their pixels: draft and repairs included.
    var framesEncoded: Double
    /// The mean over the frames; nil for a copy.
    var rateFactor: Double?
    /// CPU of the draft.
    var draftSeconds: Double?
  }

  /// Steps of the rate factor within which the best is taken for reached.
  private static let nearBest = 0.5
  var cap: Int { Int(clamping: plan.fileBytesBelow.value) - 1 }

  func run() async throws -> Made {
    guard isBound, job.video.copy == nil else {
      begins(.encode, job.video.frames)
      let result = try await job.run()
      return Made(
        result: result, framesEncoded: Double(result.framesEncoded),
        rateFactor: job.video.copy == nil ? job.video.encoding.crf : nil)
    }
    let clock = JobClock()
    let draft = Draft(job: job, recipe: recipe, limit: limit(nil))
    begins(.draft, draft.frames)
    let findings = try await draft.run()
    let draftSeconds = clock.cpuSeconds
    let planned = findings.budget.crf(taking: limit(nil) * BitBudget.aim)
    try accept(QualityAdvice(plan: plan, rateFactor: planned))
    var settled = self
    // Where the quality wanted is foreseen, cheaper settings reach it with a few bits more.
    if case .follows = findings.guidance, planned <= findings.budget.bestCRF + Self.nearBest,
      job.video.encoding.effort == .balanced
    {
      settled.job.video.encoding.effort = .fast
    }
    return try await settled.encode(findings, planned: planned, draftSeconds: draftSeconds)
  }

  private func encode(
    _ findings: Draft.Findings, planned: Double, draftSeconds: Double
  ) async throws -> Made {
    begins(.encode, job.video.frames)
    var budgeted = job
    budgeted.guidance = findings.guidance
    if case .follows = findings.guidance {
      budgeted.video.encoding.limitsPeak = foreseesPeak(in: findings.budget, at: planned)
    }
    budgeted.budget = TranscodeBudget(
      bits: findings.budget,
      layout: job.video.budgetLayout, limit: limit)
    let result = try await budgeted.run()
    var made = Made(
      result: result, framesEncoded: Double(result.framesEncoded) + findings.framesEncoded,
      rateFactor: job.video.encoding.crf, draftSeconds: draftSeconds)
    try await repair(&made, findings)
    let isFit = made.result.kept.map { hot(in: $0.video).allSatisfy(\.isEmpty) } ?? true
    made.result.kept = nil
    let bytes = Int(try FileSystem.bytes(of: job.output).value)
    if !isFit || bytes > cap { try await encodeAgain(&made) }
    return made
  }

  // MARK: The peak

  /// What VBV would allow in any second, below the preset's peak (`RateControl.vbv`).
  var peakBits: Double {
    let encoding = job.video.encoding
    return Double(encoding.maximumRate.value)
      + (1 + encoding.initialFill) * Double(encoding.bufferBits)
  }

  /// Whether a second may come near the peak: what forecasts miss by is found afterwards.
  private func foreseesPeak(in budget: BitBudget, at crf: Double) -> Bool {
    let share = exp2((budget.forecastCRF - crf) / budget.halving)
    let layout = job.video.budgetLayout.units
    let second = job.video.frameRate.doubleValue
    return zip(layout, budget.units).contains { unit, forecast in
      forecast.forecast * share * second / Double(unit.count) * peakDoubt > peakBits
    }
  }

  /// Whether VBV alone does not keep the file below its cap.
  var isBound: Bool {
    let encoding = job.video.encoding
    let seconds = plan.window.duration.doubleValue
    let most =
      Double(encoding.maximumRate.value) * seconds
      + Double(job.video.ranges.count) * encoding.initialFill * Double(encoding.bufferBits)
    // The sound may take a little more than its rate.
    return most > limit(nil) * 0.97
  }

  private var audioPackets: Int { Int((plan.audio.samples + 1_023) / 1_024) }

  /// Bits that the video's packets may have.
  var limit: @Sendable (Int?) -> Double {
    let container = ContainerSize(
      frames: job.video.frames, frameRate: job.video.frameRate, audioPackets: audioPackets,
      sampleRate: plan.audio.sampleRate
    ).bytes
    let expected = Double(plan.audio.bitRate.value) / 8 * plan.window.duration.doubleValue
    let cap = Double(cap)
    return { audioBytes in
      max(1, cap - Double(container) - (audioBytes.map { Double($0) } ?? expected)) * 8
    }
  }
}
