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
  private static func wait(_ isDone: () -> Bool) throws {
    let end = ContinuousClock.now + .seconds(20)
    while !isDone() {
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
    let folder = try TemporaryFolder()
    let worker = try FakeWorker.write(to: folder)
    try folder.write(Head.mp4, to: name)
    try folder.write(Head.mp4, to: "later.mov")
    let program = try Program(
      [name, "later.mov", "-o", "out", "--jobs", "1"], worker: worker, in: folder)
    try Self.wait { folder.names().contains("ready") }
    let start = ContinuousClock.now
    kill(program.process.processIdentifier, signal)
    let result = try program.wait()
    #expect(ContinuousClock.now - start < .milliseconds(500))
    #expect(result.code == code)
    #expect(program.process.terminationReason == .exit)
    #expect(folder.names(in: "out").isEmpty)
    #expect(FakeWorker.pids(in: folder).count == 1)
    for pid in FakeWorker.pids(in: folder) { #expect(kill(pid, 0) != 0, "\(pid) is alive") }
  }

  @Test func `Ctrl-C is answered while the reader of standard output takes nothing`() throws {
    let folder = try TemporaryFolder()
    let worker = try FakeWorker.write(to: folder)
    try folder.write(Head.mp4, to: "flood.mov")
    let unread = Pipe()
    let program = try Program(
      ["flood.mov", "-o", "out", "--json"], worker: worker, in: folder, output: unread)
    try Self.wait { folder.names().contains("ready") }
    // Long enough for the pipe to fill up.
    usleep(700_000)
    let start = ContinuousClock.now
    kill(program.process.processIdentifier, SIGINT)
    let result = try program.wait()
    #expect(ContinuousClock.now - start < .milliseconds(500))
    #expect(result.code == 130)
  }

  @Test func `a terminal's Ctrl-C reaches the parent alone`() throws {
    let folder = try TemporaryFolder()
    let worker = try FakeWorker.write(to: folder)
    try folder.write(Head.mp4, to: "hang.mov")
    let program = try Program(["hang.mov", "-o", "out"], worker: worker, in: folder)
    try Self.wait { folder.names().contains("ready") }
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
    let result = try Program.shell(
      #"""
      printf '%s\n' '{"kind":"plan","isVerbose":false,"request":{"input":"missing.mov",
      "outputDirectory":"out","preset":"reels","fit":"keep","padColor":{"red":0,"green":0,
      "blue":0},"effort":"balanced","short":"reject","audio":"auto","cover":{"auto":{}},
      "overwrite":false}}' | tr -d '\n' > job
      echo >> job
      { cat job; sleep 1; } | "$P" __worker
      """#, in: folder)
    #expect(result.code == 0)
    #expect(result.lines.count == 1)
    guard case .failed(let failed) = try #require(try result.events().first) else {
      Issue.record("\(result.output)")
      return
    }
    #expect(failed.input == "missing.mov" || failed.code == "program")
  }
}
