private import Foundation
internal import ReelsModel
internal import ReelsPipeline

/// Chooses the GOPs to encode again, where a whole file is above its cap or leaves too much of it
/// unused.
struct RepairPlan {
  /// A closed GOP as it was encoded.
  struct GOP: Hashable, Sendable {
    var range: Int
    /// The places of its packets within the range.
    var packets: Range<Int>
    /// Its first frame, counted in the output.
    var first: Int
    var bits: Double
    var crf: Double
  }

  struct Choice: Hashable, Sendable {
    var gop: GOP
    var crf: Double
    /// From this frame of the GOP on, another one.
    var change: Transcode.CRFChange?

    /// Over its frames.
    var meanCRF: Double {
      guard let change else { return crf }
      let share = Double(change.frame) / Double(max(1, gop.packets.count))
      return crf * share + change.crf * (1 - share)
    }
  }

  let gops: [GOP]
  let halving: Double
  let bestCRF: Double
  /// Frames that may be encoded again.
  let framesAllowed: Int

  /// More than this is visible beside its neighbours.
  private static let (worse, better) = (3.0, 2.5)
  /// Less than this above the best is not worth another encode.
  private static let leastGain = 0.3

  /// - Parameter bits: to be gained where positive, to be shed where negative.
  /// - Returns: as few frames as do; empty where nothing can be gained.
  func choices(changing bits: Double) -> [Choice] {
    bits < 0 ? shedding(-bits) : gaining(bits)
  }

  /// One GOP of which an earlier trial had too many bits and this one has too few, or the other way
  /// round: a part of it by the one rate factor, the rest by the other.
  ///
  /// - Returns: nil where none has.
  static func mixed(_ gops: [GOP], _ trials: [GOP], changing bits: Double) -> Choice? {
    for gop in gops {
      let wanted = gop.bits + bits
      for trial in trials where trial.first == gop.first {
        let share = (wanted - gop.bits) / (trial.bits - gop.bits)
        guard share > 0, share < 1 else { continue }
        let from = Int((share * Double(gop.packets.count)).rounded())
        return Choice(
          gop: gop, crf: trial.crf, change: Transcode.CRFChange(frame: from, crf: gop.crf))
      }
    }
    return nil
  }

  /// One GOP that takes the change alone, for an encoder that is told how many bits it may have: where a
  /// step of the rate factor changes more than it should.
  ///
  /// - Returns: nil where no GOP is large enough.
  static func steadied(_ gops: [GOP], changing bits: Double, bestCRF: Double) -> (
    choice: Choice, bits: Double
  )? {
    let open = bits > 0 ? gops.filter { $0.crf > bestCRF + leastGain } : gops
    guard let gop = open.max(by: { $0.bits < $1.bits }) else { return nil }
    let wanted = gop.bits + bits
    guard wanted > gop.bits / 2, wanted < gop.bits * 2 else { return nil }
    return (Choice(gop: gop, crf: bits > 0 ? max(gop.crf - better, bestCRF) : gop.crf), wanted)
  }

  /// The GOPs that shed the most for each of their frames, by the smallest step that does within the
  /// frames allowed; else by the one that takes the fewest.
  private func shedding(_ bits: Double) -> [Choice] {
    let order = gops.sorted {
      $0.bits / Double($0.packets.count) > $1.bits / Double($1.packets.count)
    }
    var best: (gops: [GOP], frames: Int)?
    for step in stride(from: Self.worse, through: 30, by: Self.worse) {
      var (chosen, shed, frames): ([GOP], Double, Int) = ([], 0, 0)
      for gop in order where shed < bits {
        let possible = min(step, BitBudget.worstCRF - gop.crf)
        guard possible > 0.5 else { continue }
        chosen.append(gop)
        shed += gop.bits * (1 - exp2(-possible / halving))
        frames += gop.packets.count
      }
      guard shed >= bits else { continue }
      if frames < best?.frames ?? .max { best = (chosen, frames) }
      if frames <= framesAllowed { break }
    }
    let chosen = best?.gops ?? order
    let total = chosen.reduce(0) { $0 + $1.bits }
    let exact = -halving * log2(max(0.02, 1 - bits / max(1, total)))
    return chosen.map { Choice(gop: $0, crf: min($0.crf + exact, BitBudget.worstCRF)) }
  }

  /// The ones with the most bits for their frames that may become better, by a step that is hardly
  /// seen.
  private func gaining(_ bits: Double) -> [Choice] {
    func gain(_ gop: GOP) -> Double {
      gop.bits * (exp2(min(Self.better, gop.crf - bestCRF) / halving) - 1)
    }
    let order = gops.filter { $0.crf > bestCRF + Self.leastGain }.sorted {
      gain($0) / Double($0.packets.count) > gain($1) / Double($1.packets.count)
    }
    var (chosen, gained, frames): ([GOP], Double, Int) = ([], 0, 0)
    for gop in order where gained < bits && frames + gop.packets.count <= framesAllowed {
      chosen.append(gop)
      gained += gain(gop)
      frames += gop.packets.count
    }
    // What is more than wanted is taken back from each alike.
    let share = min(1, bits / max(1, gained))
    return chosen.map { gop in
      let wanted = log2(1 + gain(gop) * share / max(1, gop.bits)) * halving
      return Choice(gop: gop, crf: max(gop.crf - wanted, bestCRF))
    }
  }
}
