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
  private var hasStarted = false
  /// The mean offset of the time stamps from the samples, over about the last second.
  private var meanOffset = 0.0
  private var runsSinceCorrection = 0

  /// A jump of this many seconds is real: longer than any jitter seen, shorter than any lost packet
  /// (the shortest usual one, Opus or AAC, is 20 ms).
  private static let jumpSeconds = 0.018
  /// A lasting offset of this many seconds is corrected; sync is promised within 1 ms.
  private static let lastingSeconds = 0.0009
  private static let lastingRuns = 24

  package init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// - Parameters:
  ///   - start: the run's first sample, in samples from the window's origin; nil where it has no
  ///     time stamp and follows the one before.
  ///   - count: samples in the run.
  package mutating func push(start: Int64?, count: Int) -> Action {
    var offset = Int64(0)
    if let start {
      offset = max(-(1 << 40), min(start, 1 << 40)) - position
      let jump = Int64(Double(sampleRate) * Self.jumpSeconds)
      if hasStarted, offset.magnitude <= UInt64(jump) {
        runsSinceCorrection += 1
        meanOffset += (Double(offset) - meanOffset) / Double(min(runsSinceCorrection, 32))
        let lasting = Double(sampleRate) * Self.lastingSeconds
        if runsSinceCorrection >= Self.lastingRuns, meanOffset.magnitude > lasting {
          offset = Int64(meanOffset.rounded())
        } else {
          offset = 0
        }
      }
    }
    if offset != 0 {
      meanOffset = 0
      runsSinceCorrection = 0
    }
    hasStarted = true
    let skip = offset < 0 ? Int(min(-offset, Int64(count))) : 0
    let silence = offset > 0 ? Int(min(offset, 1 << 30)) : 0
    position += Int64(silence) + Int64(count - skip)
    return Action(silence: silence, skip: skip)
  }
}
