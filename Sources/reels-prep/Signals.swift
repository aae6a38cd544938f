internal import Foundation
internal import ReelsPrep

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// SIGINT, SIGTERM and SIGHUP, received by a thread that waits for them.
///
/// They are blocked everywhere, so no code ever runs inside a signal handler.
final class Signals: Sendable {
  private let waited: [Int32]
  /// Holds the number of the signal; nil where the system has no pipe left.
  private let noted: StopPipe?

  /// To be called before any thread is started.
  init() {
    Self.openStandardStreams()
    // A closed standard output is an error of `write`, and no signal.
    signal(SIGPIPE, SIG_IGN)
    var waited: [Int32] = []
    var set = sigset_t()
    // Sound: the set is whole.
    unsafe _ = sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // `nohup` has the hang-up ignored; a shell's background job, however, is to answer SIGINT.
      if number == SIGHUP, Self.isIgnored(number) { continue }
      signal(number, SIG_DFL)
      // Sound: the set is whole and initialised.
      unsafe _ = sigaddset(&set, number)
      waited.append(number)
    }
    // Sound: the set is whole, and the old one is not asked for.
    unsafe _ = pthread_sigmask(SIG_BLOCK, &set, nil)
    self.waited = waited
    noted = try? StopPipe()
  }

  /// Calls `cancel` at the first signal; the second ends the program at once.
  func watch(_ cancel: @escaping @Sendable () -> Void) {
    Thread { [self] in
      var set = sigset_t()
      // Sound: the set is whole.
      unsafe _ = sigemptyset(&set)
      for number in waited {
        // Sound: the set is whole and initialised.
        unsafe _ = sigaddset(&set, number)
      }
      var isFirst = true
      while true {
        var number: Int32 = 0
        // Sound: the set holds blocked signals alone; the number is a whole Int32.
        guard unsafe sigwait(&set, &number) == 0 else { continue }
        if !isFirst || noted == nil { _exit(128 + number) }
        isFirst = false
        noted?.request(reason: UInt8(truncatingIfNeeded: number))
        cancel()
      }
    }.start()
  }

  /// Readable from the first signal on.
  var readable: Int32 { noted?.readable ?? -1 }

  /// The signal that came. It is told once.
  var received: Int32? { noted?.takeReason().map { Int32($0) } }

  /// Whether the parent has had a signal ignored.
  private static func isIgnored(_ number: Int32) -> Bool {
    let previous = signal(number, SIG_DFL)
    // Sound: the handlers are compared as addresses, and not called.
    return unsafe unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// A standard stream that is closed would be taken by the next file opened.
  private static func openStandardStreams() {
    for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
      // The lowest free number is given, which is this one. Sound: the literal ends in NUL.
      unsafe _ = open("/dev/null", O_RDWR)
    }
  }
}
