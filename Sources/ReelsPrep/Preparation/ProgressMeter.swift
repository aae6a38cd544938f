private import Foundation
internal import ReelsModel

/// Turns counts of encoded frames into progress that never goes back, a few times a second.
final class ProgressMeter: @unchecked Sendable {
  // Sound to share: what is counted is only touched under `lock`, what is told under `order`.
  private let lock = NSLock()
  private let order = NSLock()
  private let input: FilePath
  private let frames: Int
  private let frameRate: Ratio
  private let clock = JobClock()
  private let events: @Sendable (Event) -> Void
  private var phase = Phase.encode
  private var bounds = 0.0...0.0
  private var total = 1
  private var count = 0
  private var lastReport = -1.0
  private var fraction = 0.0

  /// What frames are being encoded for. Each phase reports, so that none is taken for a hang.
  enum Phase: Hashable, Sendable {
    /// The small picture that tells where the clip is hard.
    case draft
    case encode
    /// Parts, or all of it, once more; it shares what is left with those that may follow.
    case again
  }

  /// The draft and all but the check are this much of the whole.
  private static let (draftShare, encodingShare) = (0.1, 0.96)
  private static let reportSeconds = 0.2

  init(
    input: FilePath, frames: Int, frameRate: Ratio, events: @escaping @Sendable (Event) -> Void
  ) {
    self.input = input
    self.frames = frames
    self.frameRate = frameRate
    self.events = events
  }

  /// - Parameter frames: that the phase will encode.
  func begin(_ phase: Phase, frames total: Int) {
    lock.withLock {
      let start = bounds.upperBound
      let end =
        switch phase {
        case .draft: Self.draftShare
        case .encode: Self.encodingShare
        case .again: start + (0.99 - start) / 2
        }
      bounds = start...max(start, end)
      (self.phase, self.total, count) = (phase, max(1, total), 0)
    }
  }

  /// Tells of more frames encoded.
  func encoded(_ more: Int) {
    let (frames, target, isDone): (Int, Double, Bool) = lock.withLock {
      count += more
      let share = min(1, Double(count) / Double(total))
      let target = bounds.lowerBound + share * (bounds.upperBound - bounds.lowerBound)
      let frames =
        switch phase {
        case .draft: 0
        case .encode: count
        case .again: self.frames
        }
      return (frames, target, count == total)
    }
    report(target, frames: frames, always: isDone)
  }

  func finished() { report(1, frames: frames, always: true) }

  private func report(_ target: Double, frames count: Int, always: Bool) {
    // Held while the event is handed over too, so that events of two lanes keep their order.
    order.lock()
    defer { order.unlock() }
    let now = clock.wallSeconds
    fraction = max(fraction, min(target, 1))
    guard always || now - lastReport >= Self.reportSeconds else { return }
    lastReport = now
    let left = fraction > 0.01 ? now / fraction * (1 - fraction) : nil
    let seconds = (Ratio(Int64(count)) / frameRate).doubleValue
    events(
      .progress(
        Event.Progress(
          input: input, fraction: fraction, frames: count, speed: now > 0 ? seconds / now : 0,
          secondsLeft: left)))
  }
}
