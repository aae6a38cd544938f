internal import Foundation
internal import ReelsModel
internal import ReelsPrep
internal import Testing

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

@Suite(.timeLimit(.minutes(1)), .serialized) struct `Signals` {
  /// Waits until the worker of `program` is at work.
  private static func wait(for program: Program, in folder: TemporaryFolder) throws {
    let end = ContinuousClock.now + .seconds(20)
    while !folder.names().contains("ready") {
      try #require(program.process.isRunning, "\((try? program.wait())?.errors ?? "")")
      try #require(ContinuousClock.now < end, "nothing happened for 20 s")
      usleep(5_000)
    }
  }

  @Test(
    arguments: [
      (SIGINT, 130, "hang.mov"), (SIGTERM, 143, "hang.mov"), (SIGHUP, 129, "hang.mov"),
      (SIGINT, 130, "stubborn.mov"),
    ] as [(Int32, Int32, String)])
  func `a signal is answered within half a second, and nothing is left`(
    signal: Int32, code: Int32, name: String
  ) throws {
    // A machine that is busy with other tests may be late: the fastest of three counts.
    var times: [Duration] = []
    while times.count < 3, times.min().map({ $0 >= .milliseconds(500) }) ?? true {
      times.append(try Self.time(signal, code: code, name: name))
    }
    #expect(times.contains { $0 < .milliseconds(500) }, "\(times)")
  }

  private static func time(_ signal: Int32, code: Int32, name: String) throws -> Duration {
    let folder = try TemporaryFolder()
    let worker = try FakeWorker.write(to: folder)
    try folder.write(Head.mp4, to: name)
    try folder.write(Head.mp4, to: "later.mov")
    let program = try Program(
      [name, "later.mov", "-o", "out", "--jobs", "1"], worker: worker, in: folder)
    try wait(for: program, in: folder)
    let start = ContinuousClock.now
    kill(program.process.processIdentifier, signal)
    let result = try program.wait()
    let time = ContinuousClock.now - start
    #expect(result.code == code)
    #expect(program.process.terminationReason == .exit)
    #expect(folder.names(in: "out").isEmpty)
    #expect(FakeWorker.pids(in: folder).count == 1)
    for pid in FakeWorker.pids(in: folder) { #expect(kill(pid, 0) != 0, "\(pid) is alive") }
    return time
  }

  @Test func `Ctrl-C is answered while the reader of standard output takes nothing`() throws {
    var times: [Duration] = []
    while times.count < 3, times.min().map({ $0 >= .milliseconds(500) }) ?? true {
      let folder = try TemporaryFolder()
      let worker = try FakeWorker.write(to: folder)
      try folder.write(Head.mp4, to: "flood.mov")
      let unread = Pipe()
      let program = try Program(
        ["flood.mov", "-o", "out", "--json"], worker: worker, in: folder, output: unread)
      try Self.wait(for: program, in: folder)
      // Long enough for the pipe to fill up.
      usleep(700_000)
      let start = ContinuousClock.now
      kill(program.process.processIdentifier, SIGINT)
      // Let go earlier, the pipe would be closed and not full.
      let result = try withExtendedLifetime(unread) { try program.wait() }
      #expect(result.code == 130)
      times.append(ContinuousClock.now - start)
    }
    #expect(times.contains { $0 < .milliseconds(500) }, "\(times)")
  }

  @Test func `a terminal's Ctrl-C reaches the parent alone`() throws {
    let folder = try TemporaryFolder()
    let worker = try FakeWorker.write(to: folder)
    try folder.write(Head.mp4, to: "hang.mov")
    let program = try Program(["hang.mov", "-o", "out"], worker: worker, in: folder)
    try Self.wait(for: program, in: folder)
    let child = try #require(FakeWorker.pids(in: folder).first)
    #expect(getpgid(child) == child)
    kill(program.process.processIdentifier, SIGINT)
    _ = try program.wait()
  }

  @Test func `a worker whose parent is gone ends by itself`() throws {
    let process = Process()
    let input = Pipe()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["__worker"]
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
  }

  @Test func `the real worker answers a job with one message`() throws {
    let folder = try TemporaryFolder()
    let request = Request(input: "missing.mov", outputDirectory: "out")
    try folder.write(try JSONLine.encode(Job(kind: "plan", request: request)), to: "job")
    let result = try Program.shell(
      #"{ cat job; sleep 1; } | "$P" __worker"#, in: folder)
    #expect(result.code == 0)
    #expect(result.lines.count == 1)
    guard case .failed(let failed) = try #require(try result.events().first) else {
      Issue.record("\(result.output)")
      return
    }
    #expect(failed.input == "missing.mov")
  }

  @Test func `a crash of the real worker costs its file alone`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "clip.mov")
    // The real worker, still waiting for a job when the signal of a crash comes.
    let killer = try folder.writeScript(
      """
      #!/bin/sh
      IFS= read -r job
      (sleep 0.3; kill -SEGV $$) &
      exec "$P" __worker
      """, to: "killer")
    let result = try Program.run(["clip.mov", "-o", "out"], worker: killer, in: folder)
    #expect(result.code == 65)
    #expect(result.errors.contains("the decoder crashed (signal 11)"), "\(result.errors)")
  }

  private struct Job: Encodable {
    var kind: String
    var request: Request
    var isVerbose = false
  }
}
