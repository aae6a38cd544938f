#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// Before anything else starts a thread: threads inherit which signals are blocked.
let signals = Signals()
let task = Task { await Program(signals: signals).run(RawArguments.all) }
signals.watch { task.cancel() }
exit(await task.value)
