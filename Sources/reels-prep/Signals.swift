internal import ReelsPrep

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// SIGINT, SIGTERM and SIGHUP, received by the main thread, which waits for them.
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
    // `nohup` has the hang-up ignored; a shell's background job, however, is to answer SIGINT.
    let waited = [SIGINT, SIGTERM, SIGHUP].filter { $0 != SIGHUP || !Self.isIgnored($0) }
    for number in waited { signal(number, SIG_DFL) }
    var set = Self.set(of: waited)
    // Sound: the set is whole, and the old one is not asked for.
    unsafe _ = pthread_sigmask(SIG_BLOCK, &set, nil)
    self.waited = waited
    noted = try? StopPipe()
  }

  /// Calls `cancel` at the first signal; the second ends the program at once. It never returns.
  func wait(_ cancel: () -> Void) -> Never {
    var set = Self.set(of: waited)
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
  }

  /// Readable from the first signal on.
  var readable: Int32 { noted?.readable ?? -1 }

  /// The signal that came. It is told once.
  var received: Int32? { noted?.takeReason().map { Int32($0) } }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    // Sound: the set is whole.
    unsafe _ = sigemptyset(&set)
    for number in numbers {
      // Sound: the set is whole and initialised.
      unsafe _ = sigaddset(&set, number)
    }
    return set
  }

  /// Whether the parent has had a signal ignored; then it stays so.
  private static func isIgnored(_ number: Int32) -> Bool {
    let previous = signal(number, SIG_IGN)
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
