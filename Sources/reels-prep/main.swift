#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// Before anything else starts a thread: threads inherit which signals are blocked.
let signals = Signals()
let task = Task.detached { [signals] in
  exit(await Program(signals: signals).run(RawArguments.all))
}
// The main thread must not wait for the task: Dispatch would have it wait with signals unblocked.
signals.wait { task.cancel() }
