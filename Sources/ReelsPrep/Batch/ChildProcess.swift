internal import Foundation
internal import ReelsModel

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A process that was started with pipes for its three standard streams.
///
/// It leads a process group of its own, so that Ctrl-C on the terminal reaches the parent alone.
/// It is killed and reaped when its owner goes.
struct ChildProcess: ~Copyable {
  enum Ending: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
  }

  let pid: pid_t
  let input: Descriptor
  let output: Descriptor
  let errors: Descriptor
  private var isReaped = false

  deinit {
    guard !isReaped else { return }
    _ = kill(-pid, SIGKILL)
    _ = waitpid(pid, nil, WNOHANG)
  }

  /// Held from the creation of a pipe to the end of the start, so that no other child inherits it.
  private static let starting = NSLock()

  private init(
    pid: pid_t, input: consuming Descriptor, output: consuming Descriptor,
    errors: consuming Descriptor
  ) {
    self.pid = pid
    self.input = input
    self.output = output
    self.errors = errors
  }

  /// Starts `command`, with this process's environment and folder, no signal blocked or ignored.
  static func start(_ command: WorkerCommand) throws(SystemError) -> ChildProcess {
    starting.lock()
    defer { starting.unlock() }
    let input = try Descriptor.pipe()
    let output = try Descriptor.pipe()
    let errors = try Descriptor.pipe()
    let pid = try spawn(
      command, input: input.read.number, output: output.write.number, errors: errors.write.number)
    return ChildProcess(
      pid: pid, input: input.takeWrite(), output: output.takeRead(), errors: errors.takeRead())
  }

  /// Sends a signal to the whole group. What has ended already is no error.
  func send(_ signal: Int32) {
    if !isReaped { _ = kill(-pid, signal) }
  }

  /// How it ended; nil while it runs. Not to be asked again after an answer.
  mutating func ending() -> Ending? {
    var status: Int32 = 0
    // Sound: `status` is a whole Int32.
    let answer = unsafe waitpid(pid, &status, WNOHANG)
    guard answer == pid else { return nil }
    isReaped = true
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }
}

extension ChildProcess {
  #if canImport(Darwin)
    private static let flags =
      POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
      | POSIX_SPAWN_CLOEXEC_DEFAULT
  #else
    private static let flags =
      POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
  #endif

  private static func spawn(
    _ command: WorkerCommand, input: Int32, output: Int32, errors: Int32
  ) throws(SystemError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t? = nil
      var attributes: posix_spawnattr_t? = nil
    #else
      // Sound: blank until it is initialised below.
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    // Sound: initialised here and destroyed once, at the end of this function.
    unsafe _ = posix_spawn_file_actions_init(&actions)
    // Sound: as above.
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    for (from, to) in [(input, 0), (output, 1), (errors, 2)] as [(Int32, Int32)] {
      // Sound: the actions are initialised. `from` is above 2, so that none overwrites another.
      unsafe _ = posix_spawn_file_actions_adddup2(&actions, from, to)
    }

    // Sound: initialised here and destroyed once, at the end of this function.
    unsafe _ = posix_spawnattr_init(&attributes)
    // Sound: as above.
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var reset = sigset_t()
    // Sound: both are whole signal sets.
    unsafe _ = (sigemptyset(&none), sigemptyset(&reset))
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] {
      // Sound: the set is whole and initialised.
      unsafe _ = sigaddset(&reset, signal)
    }
    // Sound: the attributes are initialised, the sets are copied.
    unsafe _ = (
      posix_spawnattr_setflags(&attributes, Int16(flags)),
      posix_spawnattr_setpgroup(&attributes, 0),
      posix_spawnattr_setsigmask(&attributes, &none),
      posix_spawnattr_setsigdefault(&attributes, &reset)
    )

    var environment = ProcessInfo.processInfo.environment
    // Swift's runtime would catch a crash and spend seconds on a backtrace that nobody reads; and a
    // signal that another process sent would not end the worker at all.
    if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
    let arguments = CStrings([command.executable.bytes] + command.arguments.map { Array($0.utf8) })
    let variables = CStrings(environment.map { Array("\($0.key)=\($0.value)".utf8) })
    var pid: pid_t = 0
    // Sound: all of it outlives the call; both lists end in nil and their strings in NUL.
    let code = unsafe arguments.withPointers { argv in
      unsafe variables.withPointers { envp in
        unsafe posix_spawn(&pid, command.executable.cString, &actions, &attributes, argv, envp)
      }
    }
    guard code == 0 else { throw SystemError(code: code) }
    return pid
  }
}

/// Strings in the shape that `exec` takes.
private struct CStrings {
  private var characters: [CChar] = []
  private var offsets: [Int] = []

  init(_ strings: [[UInt8]]) {
    for string in strings {
      offsets.append(characters.count)
      characters += string.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    }
  }

  func withPointers<Result>(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var copy = characters
    // Sound: the pointers are used within the closures alone; `exec` does not write through them.
    return unsafe copy.withUnsafeMutableBufferPointer { buffer in
      var pointers = unsafe offsets.map { offset in
        unsafe buffer.baseAddress.map { unsafe $0 + offset }
      }
      unsafe pointers.append(nil)
      return unsafe pointers.withUnsafeMutableBufferPointer { list in
        // Sound: the list holds one element at least, so its address is never nil.
        unsafe body(list.baseAddress.unsafelyUnwrapped)
      }
    }
  }
}
