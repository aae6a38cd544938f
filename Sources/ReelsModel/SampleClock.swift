/// Keeps decoded sound on its time stamps: fills holes with silence and cuts overlaps.
///
/// Time stamps jitter (a millisecond in Matroska, more from screen recorders), samples do not. A
/// jump is corrected at once; a small offset only when it has lasted.
package struct SampleClock: Sendable {
  /// What to do with a run of samples that has arrived.
  package struct Action: Hashable, Sendable {
    /// Samples of silence to put in first.
    package var silence: Int
    /// Samples of the run to leave out at its front.
    package var skip: Int

    package init(silence: Int, skip: Int) {
      self.silence = silence
      self.skip = skip
    }
  }

  private let sampleRate: Int
  /// The position after everything so far, in samples from the window's origin.
  private var position: Int64 = 0
  /// The mean offset of the time stamps from the samples, over `meanSamples`.
  private var meanOffset = 0.0
  private var samplesSinceCorrection = 0
  /// Whether a jump back was longer than the run that showed it.
  private var isSkipping = false

  /// A jump of this many seconds is real: longer than any jitter seen, shorter than any lost packet
  /// (the shortest usual one, Opus or AAC, is 20 ms).
  private static let jumpSeconds = 0.018
  /// A lasting offset of this many seconds is corrected; sync is promised within 1 ms.
  private static let lastingSeconds = 0.0009
  private static let lastingSamples = 24 * 1_024
  private static let meanSamples = 32 * 1_024.0

  package init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// - Parameters:
  ///   - start: the run's first sample, in samples from the window's origin; nil where it has no
  ///     time stamp and follows the one before.
  ///   - count: samples in the run.
  ///   - isJump: whether the time stamps begin anew here, and are right at once.
  package mutating func push(start: Int64?, count: Int, isJump: Bool = false) -> Action {
    var offset = Int64(0)
    if let start {
      offset = max(-(1 << 40), min(start, 1 << 40)) - position
      let jump = Int64(Double(sampleRate) * Self.jumpSeconds)
      // Until a sample is kept there is nothing to stay in step with: the cut is exact.
      if position > 0, count > 0, !isJump, !isSkipping, offset.magnitude <= UInt64(jump) {
        samplesSinceCorrection = min(samplesSinceCorrection + count, 1 << 40)
        let window = min(Double(samplesSinceCorrection), max(Self.meanSamples, Double(count)))
        meanOffset += (Double(offset) - meanOffset) * Double(count) / window
        let lasting = Double(sampleRate) * Self.lastingSeconds
        if samplesSinceCorrection >= Self.lastingSamples, meanOffset.magnitude > lasting {
          offset = Int64(meanOffset.rounded())
        } else {
          offset = 0
        }
      }
      isSkipping = -offset > Int64(count)
    }
    if offset != 0 {
      meanOffset = 0
      samplesSinceCorrection = 0
    }
    let skip = offset < 0 ? Int(min(-offset, Int64(count))) : 0
    let silence = offset > 0 ? Int(min(offset, 1 << 30)) : 0
    position += Int64(silence) + Int64(count - skip)
    return Action(silence: silence, skip: skip)
  }
}
