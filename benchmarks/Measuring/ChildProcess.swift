internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A started process, to be waited for once: `wait4` says what it and its own children took.
struct ChildProcess {
  let pid: pid_t

  /// Starts `command` with this process's environment; its output goes to files.
  ///
  /// - Throws: `BenchError` where it cannot be started.
  static func start(_ command: Command, output: String, errors: String) throws -> ChildProcess {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t? = nil
    #else
      // Sound: blank until it is initialised below.
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    // Sound: initialised here and destroyed once, at the end of this function.
    unsafe _ = posix_spawn_file_actions_init(&actions)
    // Sound: as above.
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    let write = O_WRONLY | O_CREAT | O_TRUNC
    for (number, path, flags) in [
      (0, "/dev/null", O_RDONLY), (1, output, write), (2, errors, write),
    ] as [(Int32, String, Int32)] {
      // Sound: the actions are initialised, and keep a copy of the path.
      unsafe _ = posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
    }
    // Sound: every string is freed below, after the only call that reads them.
    let list = unsafe ([command.executable] + command.arguments).map { unsafe strdup($0) } + [nil]
    // Sound: as above.
    defer { for index in unsafe list.indices { unsafe free(list[index]) } }
    var pid: pid_t = 0
    // Sound: the list ends in nil, its strings in NUL, and both outlive the call.
    let code = unsafe posix_spawn(&pid, command.executable, &actions, nil, list, environ)
    guard code == 0 else {
      // Sound: strerror gives a string that lives until its next call.
      throw BenchError("\(command.name) could not start: \(unsafe String(cString: strerror(code)))")
    }
    return ChildProcess(pid: pid)
  }

  /// Waits for the end.
  ///
  /// - Returns: the exit code, or minus the signal that ended it, and what it took; the wall clock
  ///   is the caller's.
  func wait(watchingMemory: Bool) throws -> (status: Int32, usage: Usage) {
    var (status, usage) = (Int32(0), rusage())
    var tree: Int64?
    while true {
      // Sound: both are whole values.
      let answer = unsafe wait4(pid, &status, watchingMemory ? WNOHANG : 0, &usage)
      if answer == pid { break }
      if answer < 0, errno != EINTR { throw BenchError("wait4 failed with \(errno)") }
      if answer == 0 {
        if let held = ProcessTree(root: pid).residentBytes { tree = max(tree ?? 0, held) }
        usleep(20_000)
      }
    }
    let signal = status & 0x7F
    return (
      signal == 0 ? status >> 8 & 0xFF : -signal,
      Usage(
        cpuSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime), wallSeconds: 0,
        peakBytes: Int64(usage.ru_maxrss) * Self.residentUnit, peakTreeBytes: tree)
    )
  }

  /// Bytes that one unit of `ru_maxrss` stands for (getrusage(2)).
  private static let residentUnit: Int64 = {
    #if canImport(Darwin)
      1
    #else
      1024
    #endif
  }()

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}
