internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Runs what blocks, where it holds up nobody: not on the few threads of Swift's own pool.
enum OwnThread {
  /// Runs `body` on a new thread and waits for it without blocking the caller's.
  ///
  /// Writing to a closed pipe is an error on that thread, and no signal.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      start { continuation.resume(returning: body()) }
    }
  }

  /// Runs `body` on a new thread, for its effects.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread {
      var signals = sigset_t()
      // Sound: the set is whole, and initialised before a signal is added.
      unsafe _ = (sigemptyset(&signals), sigaddset(&signals, SIGPIPE))
      // Sound: a pending SIGPIPE belongs to this thread alone and goes with it.
      unsafe _ = pthread_sigmask(SIG_BLOCK, &signals, nil)
      body()
    }
    // Foundation's JSON reader nests as deep as the text does, up to 512 levels.
    thread.stackSize = 4 << 20
    thread.start()
  }
}
