internal import Foundation
internal import ReelsModel

/// Hands events and log lines on, one call at a time, and counts the outcomes.
// Sound: everything that changes is touched under the lock.
final class EventSink: @unchecked Sendable {
  struct Counts {
    var prepared = 0
    var existing = 0
    var notVideos = 0
    var failed = 0
  }

  private let lock = NSLock()
  private let receiver: @Sendable (Event) -> Void
  private let log: @Sendable (FilePath, String) -> Void
  private var tally = Counts()

  init(
    _ receiver: @escaping @Sendable (Event) -> Void,
    log: @escaping @Sendable (FilePath, String) -> Void
  ) {
    self.receiver = receiver
    self.log = log
  }

  var counts: Counts { lock.withLock { tally } }

  /// The receiver is called under the lock: it is promised one call at a time.
  func send(_ event: Event) {
    lock.withLock {
      switch event {
      case .finished: tally.prepared += 1
      case .skipped(let skipped):
        switch skipped.reason {
        case .exists: tally.existing += 1
        case .notVideo: tally.notVideos += 1
        }
      case .failed: tally.failed += 1
      case .planned, .progress, .summary: break
      }
      receiver(event)
    }
  }

  func log(_ input: FilePath, _ line: String) { lock.withLock { log(input, line) } }
}

/// A request to stop that is asked for now and then.
// Sound: the value is touched under the lock.
final class CancellationFlag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }

  func set() { lock.withLock { value = true } }
}
