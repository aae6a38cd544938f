import Foundation

/// What a task ends with, or nil where it does not end in time.
///
/// A test that awaits a task which ignores its cancelling would hold the whole run without a name. The limit
/// is no claim of speed: tests that wait for other programs hold the few threads that all of them share.
package func outcome<Value: Sendable>(
  of task: Task<Value, any Error>, within limit: Duration = .seconds(300)
) async -> Result<Value, any Error>? {
  let end = Ending<Value>()
  Task { end.set(await task.result) }
  let start = ContinuousClock.now
  while ContinuousClock.now - start < limit {
    if let result = end.result { return result }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return end.result
}

// Sound: the result is touched under the lock.
private final class Ending<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Result<Value, any Error>?

  var result: Result<Value, any Error>? { lock.withLock { stored } }
  func set(_ result: Result<Value, any Error>) { lock.withLock { stored = result } }
}

/// Whether a cancelled task ended in time, and with the error that says so.
package func endsCancelled<Value: Sendable>(_ task: Task<Value, any Error>) async -> Bool {
  guard case .failure(let error) = await outcome(of: task) else { return false }
  return error is CancellationError
}
