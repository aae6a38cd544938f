private import Foundation
internal import ReelsModel
internal import ReelsPipeline

/// What pairs of frames take, at full size and small: from that and from what the small picture takes it
/// foresees what the large one will.
///
/// Measured against what the encode then took, at one rate factor, on 14 pairs of clip and cap: within
/// a clip the half seconds differ from this by 0.32 octaves, all in all the clips by 0.3. Nine frames of
/// a GOP at each sixth of the clip, encoded as they will be, cost twice as much CPU and told less (0.38
/// and 0.5): what a trailer takes differs tenfold from one second to the next.
struct PairLevels: Sendable {
  struct Sample: Hashable, Sendable {
    /// In the output.
    var place: Int
    var large: PairProbe.Frames
    var small: PairProbe.Frames
    /// The large one, `slopeSteps` above in the rate factor, where it was made.
    var coarse: PairProbe.Frames?
  }

  /// How much coarser some pairs are encoded as well, for how fast bits fall: noise halves its bits in
  /// three steps of the rate factor.
  static let slopeSteps = 8.0

  /// Steps of the rate factor that halve the bits.
  let halving: Double
  private let samples: [Sample]
  /// In frames: how far a pair tells.
  private let reach: Double
  /// What P frames take in the large picture for each byte in the small one.
  private let interRatio: Double

  /// What all the pairs together say counts as much as so many of them at no distance.
  private static let doubt = 1.0
  /// What frames of a GOP take of what the pairs' frames take, which have no tree.
  private static let (intraShare, interShare) = (0.85, 0.95)
  /// The large picture's inter frames differ less than the small one's, by this power of them.
  private static let power = 0.5
  /// Clips whose pairs differ more than usual from small to large differ less as a whole.
  private static let levelPower = 0.5
  private static let levels = 1.0 / 3...2
  /// Bytes of the large picture for each of the small one, in most clips.
  private static let usual = 12.0
  /// What a frame takes that repeats the one before, whatever its size; and what is lost in it.
  private static let (skippedBytes, noise) = (12.0, 4.0)
  /// P frames that weigh as much as the IDR frame of a GOP does.
  private static let gopWeight = 20.0
  /// How much of the pairs' slope is believed, and slopes that occur.
  private static let slopeTrust = 0.85
  private static let halvings = 2.0...8

  init(_ samples: [Sample], reach: Double) {
    self.samples = samples
    self.reach = reach
    halving = Self.halving(samples)
    interRatio =
      samples.reduce(1) { $0 + Double($1.large.inter) }
      / samples.reduce(1) { $0 + Double($1.small.inter) }
  }

  private static func halving(_ samples: [Sample]) -> Double {
    func bytes(_ frames: PairProbe.Frames) -> Double {
      Double(frames.intra) + gopWeight * Double(frames.inter)
    }
    var (fine, coarse) = (0.0, 0.0)
    for sample in samples {
      guard let less = sample.coarse else { continue }
      fine += bytes(sample.large)
      coarse += bytes(less)
    }
    guard fine > 0, coarse > 0 else { return BitBudget.usualHalving }
    let slope = min(
      max(log2(fine / coarse) / slopeSteps, 1 / halvings.upperBound), 1 / halvings.lowerBound)
    return 1 / (slopeTrust * slope + (1 - slopeTrust) / BitBudget.usualHalving)
  }

  /// Bytes of an IDR frame that takes `small` bytes in the small picture.
  func intra(_ small: Double, at place: Int) -> Double {
    guard let (large, pair) = mean(at: place, \.intra) else { return small * Self.usual }
    return Self.intraShare * large * small / max(1, pair)
  }

  /// Bytes of another frame, where those around it take `small` in the small picture, in the mean.
  func inter(_ small: Double, at place: Int) -> Double {
    guard let (large, pair) = mean(at: place, \.inter) else { return small * Self.usual }
    func content(_ bytes: Double) -> Double { max(0, bytes - Self.skippedBytes) + Self.noise }
    let ratio = min(
      max(interRatio / Self.usual, Self.levels.lowerBound), Self.levels.upperBound)
    return Self.interShare * large / pow(ratio, Self.levelPower)
      * pow(content(small) / content(pair), Self.power)
  }

  private func mean(
    at place: Int, _ kind: KeyPath<PairProbe.Frames, Int>
  ) -> (large: Double, small: Double)? {
    guard !samples.isEmpty else { return nil }
    var (large, small, weights) = (0.0, 0.0, 0.0)
    for sample in samples {
      let weight =
        exp(-Double(abs(sample.place - place)) / reach) + Self.doubt / Double(samples.count)
      large += weight * Double(sample.large[keyPath: kind])
      small += weight * Double(sample.small[keyPath: kind])
      weights += weight
    }
    return (large / weights, small / weights)
  }
}

extension PairLevels.Sample {
  /// - Returns: nil where one of the two sizes is missing.
  init?(_ pair: PairProbe.Pair) {
    guard let large = pair.versions[0], let small = pair.versions[1] else { return nil }
    self.init(place: pair.place, large: large, small: small, coarse: pair.versions[2])
  }
}
