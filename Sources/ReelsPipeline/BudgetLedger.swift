private import Foundation
package import ReelsModel

/// What a transcode needs to spend its bits by a budget.
package struct TranscodeBudget: Sendable {
  package var bits: BitBudget
  package var layout: BudgetLayout
  /// Bits that the video may have, given the bytes of the sound; nil while those are not known.
  package var limit: @Sendable (Int?) -> Double

  package init(
    bits: BitBudget, layout: BudgetLayout, limit: @escaping @Sendable (Int?) -> Double
  ) {
    self.bits = bits
    self.layout = layout
    self.limit = limit
  }
}

/// Keeps what the units have taken, and makes an encoder wait for the results that its next answer
/// rests on.
///
/// No two lanes can wait for each other: an answer rests only on units of earlier steps.
final class BudgetLedger: @unchecked Sendable {
  // Sound to share: what varies is only touched between lock and unlock.
  private let condition = NSCondition()
  private let budget: TranscodeBudget
  private var outcomes: [BitBudget.Outcome?]
  private var audioBytes: Int?
  private var isCancelled = false
  private let lastStep: Int

  init(_ budget: TranscodeBudget) {
    self.budget = budget
    outcomes = Array(repeating: nil, count: budget.layout.units.count)
    lastStep = budget.layout.units.map(\.step).max() ?? 0
  }

  /// The units of one range, by their places in the layout.
  func units(of range: Int) -> Range<Int> {
    let all = budget.layout.units
    let first = all.firstIndex { $0.range == range } ?? all.endIndex
    let end = all[first...].firstIndex { $0.range != range } ?? all.endIndex
    return first..<end
  }

  func frames(of unit: Int) -> Int { budget.layout.units[unit].count }

  /// The rate factor for a unit; waits until it can be told.
  ///
  /// - Throws: `CancellationError` where the transcode is stopped meanwhile.
  func crf(for unit: Int) throws -> Double {
    let basis = budget.bits.basis(of: unit)
    // Later answers rest on what the sound really takes; it is long done by then.
    let needsAudio = budget.layout.units[unit].step * 4 >= lastStep
    condition.lock()
    while !isCancelled,
      (needsAudio && audioBytes == nil) || basis.contains(where: { outcomes[$0] == nil })
    {
      condition.wait()
    }
    let (isStopped, known) = (isCancelled, outcomes)
    let sound = needsAudio ? audioBytes : nil
    condition.unlock()
    if isStopped { throw CancellationError() }
    return budget.bits.crf(for: unit, limit: budget.limit(sound), outcomes: known)
  }

  /// What has been recorded of each unit.
  var all: [BitBudget.Outcome?] {
    condition.lock()
    defer { condition.unlock() }
    return outcomes
  }

  func record(_ unit: Int, bits: Int, crf: Double) {
    condition.lock()
    outcomes[unit] = BitBudget.Outcome(bits: Double(bits), crf: crf)
    condition.broadcast()
    condition.unlock()
  }

  func recordAudio(bytes: Int) {
    condition.lock()
    audioBytes = bytes
    condition.broadcast()
    condition.unlock()
  }

  func cancel() {
    condition.lock()
    isCancelled = true
    condition.broadcast()
    condition.unlock()
  }
}
