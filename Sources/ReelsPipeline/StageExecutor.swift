private import Foundation

/// Runs blocking stages, each on a thread of its own, never on Swift's cooperative pool.
///
/// The first stage that throws stops the others; its error is the group's.
package final class StageExecutor: @unchecked Sendable {
  // Sound to share: everything mutable is only touched between lock and unlock.
  private let lock = NSLock()
  private var running = 0
  private var failure: (any Error)?
  private var isStopped = false
  private var stopActions: [@Sendable () -> Void] = []
  private var waiter: CheckedContinuation<Void, Never>?

  /// Eight times what macOS gives to secondary threads: decoders keep large tables on the stack.
  private static let stackBytes = 4 << 20

  package init() {}

  /// Adds what stops a stage that is waiting, such as a channel's `cancel`.
  package func onStop(_ action: @escaping @Sendable () -> Void) {
    let now = lock.withLock {
      if !isStopped { stopActions.append(action) }
      return isStopped
    }
    if now { action() }
  }

  /// Stops every stage; from any thread, any number of times.
  package func stop() {
    let actions = lock.withLock {
      isStopped = true
      defer { stopActions = [] }
      return stopActions
    }
    for action in actions { action() }
  }

  package func start(_ name: String, _ body: @escaping @Sendable () throws -> Void) {
    lock.withLock { running += 1 }
    let thread = Thread { [self] in
      let result = Result { try body() }
      end(with: result)
    }
    thread.name = name
    thread.stackSize = Self.stackBytes
    thread.start()
  }

  private func end(with result: Result<Void, any Error>) {
    if case .failure(let error) = result {
      lock.withLock { if failure == nil { failure = error } }
      stop()
    }
    let resumed = lock.withLock {
      running -= 1
      guard running == 0 else { return nil as CheckedContinuation<Void, Never>? }
      defer { waiter = nil }
      return waiter
    }
    resumed?.resume()
  }

  /// Waits until every stage has ended. Cancelling the task stops them.
  ///
  /// - Throws: the first stage's error, or `CancellationError` where the task was cancelled.
  package func wait() async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = lock.withLock {
          if running > 0 { waiter = continuation }
          return running == 0
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      stop()
    }
    try Task.checkCancellation()
    if let failure = lock.withLock({ failure }) { throw failure }
  }

  /// Runs one blocking piece of work on its own thread.
  ///
  /// - Parameter onCancel: what makes it end early.
  package static func run<Value: Sendable>(
    _ name: String, onCancel: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let executor = StageExecutor()
    let result = Outcome<Value>()
    executor.onStop(onCancel)
    executor.start(name) { result.store(try body()) }
    try await executor.wait()
    return try result.take()
  }

  private final class Outcome<Value: Sendable>: @unchecked Sendable {
    // Sound to share: written before the executor's lock is released, read after it was taken.
    private var value: Value?
    func store(_ value: Value) { self.value = value }
    func take() throws -> Value {
      guard let value else { throw CancellationError() }
      return value
    }
  }
}
