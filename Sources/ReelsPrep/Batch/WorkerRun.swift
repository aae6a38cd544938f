internal import ReelsModel

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// One job in one worker process, from its start to its end, on the thread that calls `run`.
struct WorkerRun: ~Copyable {
  enum Ending: Hashable, Sendable {
    /// It ended by itself, with this exit code.
    case exited(Int32)
    /// It was ended by this signal, which was not ours.
    case signalled(Int32)
    /// It was killed, because it had sent no message for too long.
    case silent
    /// It was ended because a stop was requested.
    case stopped
  }

  private enum Stop { case requested, silence }

  /// How long a worker may tidy up after it was asked to end.
  private static let grace = Duration.milliseconds(300)
  /// How long a worker may take from closing its output to its end.
  private static let farewell = Duration.seconds(5)
  /// How long a killed worker is waited for; one that waits for a dead disk cannot even be killed.
  private static let burial = Duration.milliseconds(100)

  private var child: ChildProcess
  private let silenceLimit: Duration
  /// It stands still while the machine sleeps, as the workers do.
  private let clock = SuspendingClock()

  private var stop: Stop?
  private var isKilled = false
  private var deadline: SuspendingClock.Instant
  private var output: LineBuffer? = LineBuffer(limit: 16 << 20)
  private var errors: LineBuffer? = LineBuffer(limit: 4096)

  var pid: Int32 { child.pid }

  /// Starts the worker and gives it its job.
  init(
    _ command: WorkerCommand, job: WorkerJob, silenceLimit: Duration
  ) throws {
    let line = try JSONLine.encode(job)
    child = try ChildProcess.start(command)
    self.silenceLimit = silenceLimit
    deadline = clock.now + silenceLimit
    // A worker that is gone already is noticed by its end. A job is shorter than a pipe is deep.
    try? child.input.write(line)
  }

  /// Waits for the worker's end. The two calls are made on this thread, in the worker's order.
  ///
  /// The worker's standard input stays open meanwhile: its end tells the worker that this process
  /// is gone.
  mutating func run(
    stopping: StopPipe, message: (WorkerMessage) -> Void, log: (String) -> Void
  ) -> Ending {
    while true {
      let ready = wait(stopping: stopping)
      if ready.output { readOutput(message) }
      if ready.errors { readErrors(log) }
      if ready.stop, stop == nil {
        stop = .requested
        child.send(SIGTERM)
        deadline = clock.now + Self.grace
      }
      // What it wrote before its end is read first.
      if !ready.output, !ready.errors, let ending = child.ending() {
        finish(message, log)
        return result(ending)
      }
      guard clock.now >= deadline else { continue }
      if isKilled { return result(.signalled(SIGKILL)) }
      if stop == nil { stop = .silence }
      isKilled = true
      child.send(SIGKILL)
      deadline = clock.now + Self.burial
    }
  }

  private func result(_ ending: ChildProcess.Ending) -> Ending {
    switch (stop, ending) {
    case (.requested, _): .stopped
    case (.silence, _): .silent
    case (nil, .exited(let code)): .exited(code)
    case (nil, .signalled(let signal)): .signalled(signal)
    }
  }

  /// Waits until something can be read, a deadline has come, or it is time to look at the child.
  private func wait(stopping: StopPipe) -> (output: Bool, errors: Bool, stop: Bool) {
    let open = output != nil || errors != nil
    let left = max(.zero, deadline - clock.now)
    let limit: Duration = isKilled || !open ? .milliseconds(2) : .milliseconds(500)
    let milliseconds = Int32(min(left, limit) / .milliseconds(1)) + 1
    // A negative number is a slot that `poll` leaves out.
    var slots = [
      pollfd(fd: output == nil ? -1 : child.output.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors == nil ? -1 : child.errors.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: stop == nil ? stopping.readable : -1, events: Int16(POLLIN), revents: 0),
    ]
    // Sound: the array holds the three slots that are announced.
    guard unsafe poll(&slots, 3, milliseconds) > 0 else { return (false, false, false) }
    return (slots[0].revents != 0, slots[1].revents != 0, slots[2].revents != 0)
  }

  private mutating func readOutput(_ message: (WorkerMessage) -> Void) {
    let bytes = (try? child.output.read(upTo: 65_536)) ?? []
    var isHeard = false
    output?.add(bytes) { line in
      guard let value = JSONLine.decode(WorkerMessage.self, from: line) else { return }
      message(value)
      isHeard = true
    }
    if bytes.isEmpty { output = nil }
    // Only after the calls: a reader of events that is slow is not the worker's silence.
    if stop == nil, isHeard { deadline = clock.now + silenceLimit }
    if stop == nil, output == nil { deadline = clock.now + Self.farewell }
  }

  private mutating func readErrors(_ log: (String) -> Void) {
    let bytes = (try? child.errors.read(upTo: 65_536)) ?? []
    errors?.add(bytes) { log(String(decoding: $0, as: UTF8.self).singleLine) }
    if bytes.isEmpty { errors = nil }
  }

  /// Hands over a last line that no newline ended.
  private mutating func finish(_ message: (WorkerMessage) -> Void, _ log: (String) -> Void) {
    output?.finish { line in
      if let value = JSONLine.decode(WorkerMessage.self, from: line) { message(value) }
    }
    errors?.finish { log(String(decoding: $0, as: UTF8.self).singleLine) }
  }
}
