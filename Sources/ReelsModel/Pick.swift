/// Which part of a longer video is taken where no start is given.
public enum PickChoice: String, Hashable, Sendable, Codable, CaseIterable {
  /// From its start on.
  case start
  /// The part with the most going on.
  case best
}

/// Why a part was picked.
public struct Pick: Hashable, Sendable, Codable {
  /// From the first presented frame.
  public var start: MediaTime
  /// Its motion, as a multiple of the whole video's.
  public var motion: Double
  /// Its loudness over the whole video's, in decibels; nil where there is no sound.
  public var sound: Double?
  /// Seconds of it that are black.
  public var blackSeconds: Double
  /// One sentence part.
  public var because: String

  public init(
    start: MediaTime, motion: Double, sound: Double?, blackSeconds: Double, because: String
  ) {
    self.start = start
    self.motion = motion
    self.sound = sound
    self.blackSeconds = blackSeconds
    self.because = because
  }
}

/// One of the payloads that a longer video was split into.
public struct Part: Hashable, Sendable, Codable {
  /// From 1.
  public var index: Int
  public var of: Int

  public init(index: Int, of: Int) {
    self.index = index
    self.of = of
  }
}

/// How much goes on in each second of a video.
public struct Activity: Hashable, Sendable {
  /// 0 is stillness; only their relation counts.
  public var motion: [Double]
  /// Mean squares of the samples; empty where there is no sound.
  public var sound: [Double]
  public var isBlack: [Bool]

  public init(motion: [Double], sound: [Double], isBlack: [Bool]) {
    self.motion = motion
    self.sound = sound
    self.isBlack = isBlack
  }

  /// Sound counts half as much as motion: many Reels are watched without it.
  private static let soundWeight = 0.5
  /// What a black second costs, in seconds of the liveliest motion.
  private static let blackCost = 2.0

  /// The first second of the `length` seconds with the most going on; of equal ones the earliest.
  ///
  /// - Parameter latest: the last second that may be the first; nil lets the last one count whole.
  public func best(length: Int, latest: Int? = nil) -> Int {
    let count = motion.count
    guard length > 0, count > length else { return 0 }
    let latest = min(latest ?? (count - length), count - length)
    guard latest >= 1 else { return 0 }
    let top = Self.high(motion)
    let loud = Self.high(sound)
    let scores = (0..<count).map { second -> Double in
      let lively = top > 0 ? min(1, motion[second] / top) : 0
      let heard =
        second < sound.count && loud > 0 ? min(1, (sound[second] / loud).squareRoot()) : 0
      let black = second < isBlack.count && isBlack[second] ? Self.blackCost : 0
      return lively + Self.soundWeight * heard - black
    }
    var sum = scores[..<length].reduce(0, +)
    var (best, bestSum) = (0, sum)
    for start in 1...latest {
      sum += scores[start + length - 1] - scores[start - 1]
      // A hair more is no reason to begin later.
      if sum > bestSum + 1e-9 { (best, bestSum) = (start, sum) }
    }
    return best
  }

  /// What 95 in 100 do not exceed: one flash is not all there is.
  private static func high(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
  }
}
