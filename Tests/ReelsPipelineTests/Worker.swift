import Foundation

/// A thread of its own for something that may block, and a wait for it that cannot hang.
final class Worker: @unchecked Sendable {
  // Sound: the semaphore is thread-safe and never replaced.
  private let ended = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [ended] in
      body()
      ended.signal()
    }
  }

  /// Whether it ended within `seconds`.
  func ends(within seconds: Double) -> Bool {
    guard ended.wait(timeout: .now() + seconds) == .success else { return false }
    ended.signal()
    return true
  }
}

/// A value that several threads change.
final class Shared<Value>: @unchecked Sendable {
  // Sound: only touched under the lock.
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value { lock.withLock { stored } }

  @discardableResult
  func update<R>(_ body: (inout Value) -> R) -> R { lock.withLock { body(&stored) } }
}
