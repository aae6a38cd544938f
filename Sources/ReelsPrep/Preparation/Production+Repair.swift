private import Foundation
internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// What follows the encode: parts of it are made again, where a second exceeds the peak or the whole lands
/// outside of the last percents below its cap.
extension Production {
  /// Where a repair aims: its few GOPs are foreseen less well.
  private static let repairAim = 0.985
  /// Where one by VBV aims, which takes a few percent less than it may.
  private static let steadyAim = 0.999
  /// The buffer for that, a part of which VBV leaves unused.
  private static let steadySeconds = 0.3
  /// How much it takes of what it may, mostly.
  private static let steadyUse = 0.94
  /// Steps of the rate factor above the best that need no repair where the whole file could have the
  /// best.
  private static let unseen = 2.5
  /// Frames encoded again by repairs that only gain, and by those that must shed.
  private static let (gainShare, shedShare) = (0.42, 0.42)
  /// The same where the cap would hold the best quality, and only single GOPs have less.
  private static let evenShare = 0.2
  private static let repairs = 8
  /// What a round must have gained of what was missing for another to be tried.
  private static let hope = 0.25

  func repair(_ made: inout Made, _ findings: Draft.Findings) async throws {
    guard let kept = made.result.kept else { return }
    var gops = gops(of: kept.video, outcomes: made.result.outcomes)
    defer {
      made.rateFactor =
        gops.reduce(0) { $0 + $1.crf * Double($1.packets.count) } / Double(max(1, job.video.frames))
    }
    try await shave(kept, &gops, &made, findings.guidance)
    try await balance(kept, &gops, &made, findings)
    try await shave(kept, &gops, &made, findings.guidance)
  }

  /// Encodes GOPs again, as few as do, until the file uses its cap well.
  private func balance(
    _ kept: Transcode.Kept, _ gops: inout [RepairPlan.GOP], _ made: inout Made,
    _ findings: Draft.Findings
  ) async throws {
    let budget = findings.budget
    let frames = job.video.frames
    var halving = budget.halving(after: made.result.outcomes)
    // Bytes that the last round should have brought it to.
    var hoped: Double?
    // GOPs that have been replaced.
    var trials: [RepairPlan.GOP] = []
    for round in 0..<Self.repairs {
      let bytes = Int(try FileSystem.bytes(of: job.output).value)
      let share = Double(bytes) / Double(cap)
      let isOver = bytes > cap
      let worst = gops.map(\.crf).max() ?? budget.bestCRF
      // Where the quality wanted is reached, what is left over is not needed.
      let wanted = gops.reduce(0) { $0 + $1.bits * exp2(($1.crf - budget.bestCRF) / halving) }
      let isEnough = wanted < wellUsed * limit(nil)
      let tolerance = isEnough ? Self.unseen : 0.5
      if !isOver, share >= wellUsed || worst <= budget.bestCRF + tolerance { return }
      // Where the peak binds, a better rate factor gains nothing.
      if let hoped, !isOver, Double(bytes) < hoped { return }
      let gainShare = isEnough ? Self.evenShare : Self.gainShare
      let allowed = Double(frames) * (isOver ? Self.shedShare : gainShare)
      let spent = Int(made.framesEncoded) - frames
      let plan = RepairPlan(
        gops: gops, halving: halving, bestCRF: budget.bestCRF,
        framesAllowed: max(isOver ? frames / 10 : 0, Int(allowed) - spent))
      let attempt = attempt(round, plan, trials, bytes: bytes)
      if attempt.choices.isEmpty { return }
      let before = attempt.choices.map(\.gop)
      made.framesEncoded += Double(
        try await replace(
          attempt.choices, in: kept, gops: &gops, findings.guidance, bits: attempt.bits))
      if attempt.isPlain {
        trials += before
        let after = gops.filter { gop in before.contains { $0.first == gop.first } }
        halving = Self.halving(from: before, to: after) ?? halving
      } else {
        // What VBV or two rate factors have made says nothing of either of them.
        trials.removeAll { trial in before.contains { $0.first == trial.first } }
      }
      hoped = isOver ? nil : Double(bytes) + Self.hope * Double(cap - bytes)
      try await job.mux(kept)
    }
  }

  private struct Attempt {
    var choices: [RepairPlan.Choice]
    /// That a single choice may have at most, by VBV.
    var bits: Double?
    /// Each choice has one rate factor and nothing else.
    var isPlain = true
  }

  /// What a round of repairs does: between two trials of a GOP where that is possible; by VBV where a
  /// step of the rate factor changes too much or two rounds did not do; else by the rate factor.
  private func attempt(
    _ round: Int, _ plan: RepairPlan, _ trials: [RepairPlan.GOP], bytes: Int
  ) -> Attempt {
    func missing(_ aim: Double) -> Double { (aim * Double(cap) - Double(bytes)) * 8 }
    let all = plan.choices(changing: missing(Self.repairAim))
    if all.isEmpty { return Attempt(choices: []) }
    if let mixed = RepairPlan.mixed(plan.gops, trials, changing: missing(Self.repairAim)) {
      return Attempt(choices: [mixed], isPlain: false)
    }
    if round >= 2 || plan.halving < Self.steep,
      let steady = RepairPlan.steadied(
        plan.gops, changing: missing(Self.steadyAim), bestCRF: plan.bestCRF)
    {
      return Attempt(choices: [steady.choice], bits: steady.bits, isPlain: false)
    }
    // Half of them first: they tell what a step of the rate factor really gives here.
    return Attempt(choices: round == 0 ? Array(all.prefix((all.count + 1) / 2)) : all)
  }

  /// The last resort: every second takes the same, for VBV keeps the whole below
  /// rate × seconds + ranges × fill × buffer.
  func encodeAgain(_ made: inout Made) async throws {
    var again = job
    again.video.encoding.limit(
      to: 0.98 * limit(nil), in: plan.window.duration.doubleValue,
      starts: job.video.ranges.count, buffer: 1)
    again.video.encoding.crf = made.rateFactor ?? job.video.encoding.crf
    begins(.again, job.video.frames)
    made.result = try await again.run()
    made.framesEncoded += Double(made.result.framesEncoded)
  }

  /// Steps of the rate factor that halved the bits of GOPs that were encoded again.
  private static func halving(
    from before: [RepairPlan.GOP], to after: [RepairPlan.GOP]
  ) -> Double? {
    func mean(_ gops: [RepairPlan.GOP]) -> (bits: Double, crf: Double) {
      let bits = gops.reduce(0) { $0 + $1.bits }
      return (bits, gops.reduce(0) { $0 + $1.crf * $1.bits } / max(1, bits))
    }
    let (old, new) = (mean(before), mean(after))
    guard old.bits > 0, new.bits > 0, abs(log2(old.bits / new.bits)) > 0.02 else { return nil }
    let halving = (new.crf - old.crf) / log2(old.bits / new.bits)
    return halving > 0 ? min(max(halving, 1), 14) : nil
  }

  /// Where so few steps of the rate factor halve the bits, as with noise, it is no way to meet a size.
  private static let steep = 4.5

  /// - Parameter bits: that a single choice may have at most, by VBV.
  /// - Returns: frames that were encoded.
  private func replace(
    _ choices: [RepairPlan.Choice], in kept: Transcode.Kept, gops: inout [RepairPlan.GOP],
    _ guidance: Transcode.Guidance, bits: Double? = nil
  ) async throws -> Int {
    var part = job
    if let bits, let choice = choices.first {
      let seconds =
        Double(choice.gop.packets.count) / job.video.frameRate.doubleValue
      part.video.encoding.limit(
        to: bits / Self.steadyUse, in: seconds, starts: 1, buffer: Self.steadySeconds)
    }
    part.cover = nil
    part.crfs = choices.map(\.crf)
    part.changes = choices.map(\.change)
    part.video.ranges = choices.compactMap { choice in
      let entry = job.video.entry(showing: choice.gop.first, of: survey.frames.entries)
      return entry.map {
        VideoPlan.EncodeRange(first: choice.gop.first, count: choice.gop.packets.count, entry: $0)
      }
    }
    if case .follows(let passes, let grid) = guidance {
      part.guidance = .follows(choices.map { passes[$0.gop.range].part($0.gop.packets) }, grid)
    }
    begins(.again, part.video.ranges.reduce(0) { $0 + $1.count })
    let store = try await part.pictures().packets
    for (index, choice) in choices.enumerated() {
      kept.video.replace(choice.gop.packets, of: choice.gop.range, with: store, list: index)
      guard let place = gops.firstIndex(of: choice.gop) else { continue }
      gops[place].crf = choice.meanCRF
      gops[place].bits = store.entries(of: index).reduce(0) { $0 + Double($1.bytes * 8) }
    }
    return choices.reduce(0) { $0 + $1.gop.packets.count }
  }

  /// Whole GOPs, as they begin with IDR frames; short ones, between cuts, together with the next: each
  /// part that is encoded again may begin with more bits than VBV would have left to it, and two within
  /// a second could exceed the peak.
  private func gops(of store: PacketStore, outcomes: [BitBudget.Outcome?]) -> [RepairPlan.GOP] {
    let layout = job.video.budgetLayout
    let second = Int(job.video.frameRate.doubleValue.rounded(.up))
    return job.video.ranges.indices.flatMap { range -> [RepairPlan.GOP] in
      let entries = store.entries(of: range)
      var starts: [Int] = []
      for place in entries.indices where entries[place].isKey {
        let isEarly = starts.last.map { place - $0 < second } ?? false
        if !isEarly, starts.isEmpty || entries.count - place >= second { starts.append(place) }
      }
      let first = job.video.ranges[range].first
      return zip(starts, starts.dropFirst() + [entries.count]).map { start, end in
        let units = layout.units.indices.filter {
          layout.units[$0].first < first + end
            && layout.units[$0].first + layout.units[$0].count > first + start
        }
        let done = units.compactMap { outcomes[$0] }
        let bits = done.reduce(0) { $0 + $1.bits }
        return RepairPlan.GOP(
          range: range, packets: start..<end, first: first + start,
          bits: entries[start..<end].reduce(0) { $0 + Double($1.bytes * 8) },
          crf: done.reduce(0) { $0 + $1.crf * $1.bits } / max(1, bits))
      }
    }
  }

  // MARK: The peak

  /// The packets within a second of more bits than the peak, by range and place.
  func hot(in store: PacketStore) -> [Set<Int>] {
    PeakSearch(limit: peakBits, second: Int(job.video.frameRate.doubleValue.rounded(.up)))
      .places(in: (0..<store.count).map { store.entries(of: $0).map { $0.bytes * 8 } })
  }

  /// Encodes the GOPs that hold more than the peak again, by VBV.
  private func shave(
    _ kept: Transcode.Kept, _ gops: inout [RepairPlan.GOP], _ made: inout Made,
    _ guidance: Transcode.Guidance
  ) async throws {
    for _ in 0..<Self.shaves {
      let hot = hot(in: kept.video)
      let choices = gops.filter { gop in gop.packets.contains { hot[gop.range].contains($0) } }
        .map { RepairPlan.Choice(gop: $0, crf: $0.crf) }
      if choices.isEmpty { return }
      made.framesEncoded += Double(try await replace(choices, in: kept, gops: &gops, guidance))
      try await job.mux(kept)
    }
  }

  private static let shaves = 2
}

extension VideoEncoding {
  /// Keeps what is encoded below `bits`: VBV allows rate × seconds, and at each start its fill × buffer.
  fileprivate mutating func limit(to bits: Double, in seconds: Double, starts: Int, buffer: Double)
  {
    let rate = bits / (seconds + Double(starts) * initialFill * buffer)
    maximumRate = BitsPerSecond(Int64(rate))
    bufferBits = Int64(rate * buffer)
    limitsPeak = true
  }
}
