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
  private var attempt = 0
  private var count = 0
  private var lastReport = -1.0
  private var fraction = 0.0

  /// Encoding is this much of the whole; an attempt after the first shares what is left.
  private static let encodingShare = 0.96
  private static let reportSeconds = 0.2

  init(
    input: FilePath, frames: Int, frameRate: Ratio, events: @escaping @Sendable (Event) -> Void
  ) {
    self.input = input
    self.frames = frames
    self.frameRate = frameRate
    self.events = events
  }

  func beginAttempt() {
    lock.withLock {
      attempt += 1
      count = 0
    }
  }

  /// Tells of more frames encoded.
  func encoded(_ more: Int) {
    let (done, target): (Int, Double) = lock.withLock {
      count += more
      let share = Double(count) / Double(max(1, frames))
      let target =
        attempt <= 1
        ? share * Self.encodingShare
        : Self.encodingShare + share * (0.99 - Self.encodingShare)
      return (count, target)
    }
    report(target, frames: done, always: done == frames)
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
