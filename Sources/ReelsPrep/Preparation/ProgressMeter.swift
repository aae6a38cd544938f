private import Foundation
internal import ReelsModel

/// Turns counts of encoded frames into progress that never goes back, a few times a second.
final class ProgressMeter: @unchecked Sendable {
  // Sound to share: everything mutable is only touched under the lock.
  private let lock = NSLock()
  private let input: FilePath
  private let frames: Int
  private let frameRate: Ratio
  private let clock = JobClock()
  private let events: @Sendable (Event) -> Void
  private var lastReport = -1.0
  private var fraction = 0.0
  private var attempt = 0
  private var count = 0

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
    let now = clock.wallSeconds
    let progress: Event.Progress? = lock.withLock {
      fraction = max(fraction, min(target, 1))
      guard always || now - lastReport >= Self.reportSeconds else { return nil }
      lastReport = now
      let left = fraction > 0.01 ? now / fraction * (1 - fraction) : nil
      let seconds = (Ratio(Int64(count)) / frameRate).doubleValue
      return Event.Progress(
        input: input, fraction: fraction, frames: count, speed: now > 0 ? seconds / now : 0,
        secondsLeft: left)
    }
    if let progress { events(.progress(progress)) }
  }
}
