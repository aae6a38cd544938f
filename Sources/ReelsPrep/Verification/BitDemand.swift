import ReelsModel

/// The bits of a stream as they are asked for: what a decoder's buffer has to hold where they come at a
/// given rate (H.264, C.1, with frames taken at their times of decoding).
struct BitDemand: Hashable, Sendable {
  /// Of each frame, and the seconds to the next.
  private let steps: [Step]

  private struct Step: Hashable, Sendable {
    let bits: Double
    let seconds: Double
  }

  /// Of nothing: any level does.
  init() { steps = [] }

  init(_ timeline: Timeline) {
    let tick = timeline.timeBase.doubleValue
    steps = timeline.samples.map {
      Step(bits: Double($0.size) * 8, seconds: Double($0.duration) * tick)
    }
  }

  /// Frames of these bytes, at a constant rate.
  init(bytes: [Int], frameRate: Ratio) {
    let interval = frameRate.isPositive ? 1 / frameRate.doubleValue : 0
    steps = bytes.map { Step(bits: Double($0) * 8, seconds: interval) }
  }

  /// The most bits that any run of frames asks for beyond what comes at `rate` meanwhile.
  func mostBuffered(at rate: BitsPerSecond) -> Double {
    var (held, most) = (0.0, 0.0)
    for step in steps {
      held += step.bits
      most = max(most, held)
      held = max(0, held - step.seconds * Double(rate.value))
    }
    return most
  }
}
