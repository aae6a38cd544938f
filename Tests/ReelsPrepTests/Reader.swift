import Foundation
import ReelsModel
import Synchronization

@testable import ReelsPrep

/// A thread that reads one file again and again and keeps every distinct text that it found.
final class Reader: Sendable {
  private struct State {
    var seen: Set<String> = []
    var isStopped = false
    var hasEnded = false
  }
  private let state = Mutex(State())

  init(_ path: FilePath) {
    Thread { [self] in
      while !state.withLock({ $0.isStopped }) {
        let text: String
        do {
          let bytes = try FileSystem.read(path, limit: ByteCount(1 << 20))
          text = String(decoding: bytes, as: UTF8.self)
        } catch {
          text = "\(error)"
        }
        state.withLock { _ = $0.seen.insert(text) }
      }
      state.withLock { $0.hasEnded = true }
    }.start()
  }

  var seen: Set<String> { state.withLock { $0.seen } }

  /// Waits for the thread's end.
  func stop() -> Set<String> {
    state.withLock { $0.isStopped = true }
    while !state.withLock({ $0.hasEnded }) { usleep(1_000) }
    return seen
  }
}
