internal import Foundation
internal import ReelsModel
internal import Testing

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The built command, run as a process.
struct Program {
  struct Result {
    var code: Int32
    var output: String
    var errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// Standard output as events; a line that is none is an error.
    func events() throws -> [Event] {
      try lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    }
  }

  /// The command lies beside the test bundle.
  static let path: String = {
    #if canImport(Darwin)
      let beside = Bundle(for: TemporaryFolder.self).bundleURL
    #else
      let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #endif
    return beside.deletingLastPathComponent().appendingPathComponent("reels-prep").path
  }()

  /// Runs it to its end.
  static func run(
    _ arguments: [String], worker: FilePath? = nil, in folder: TemporaryFolder? = nil
  ) throws -> Result {
    try Program(arguments, worker: worker, in: folder).wait()
  }

  /// Runs a line of the shell in which `$P` is the command.
  static func shell(
    _ line: String, worker: FilePath? = nil, in folder: TemporaryFolder, seconds: Int = 30
  ) throws -> Result {
    try Program(["-c", line], executable: "/bin/sh", worker: worker, in: folder)
      .wait(seconds: seconds)
  }

  /// The same on a thread of its own: what takes long must not keep one of the few that all tests share.
  static func longShell(
    _ line: String, in folder: TemporaryFolder, seconds: Int
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Swift.Result { try shell(line, in: folder, seconds: seconds) })
      }
    }
  }

  let process = Process()
  private let streams: TemporaryFolder

  /// Starts it. Its streams go to files, so that nobody has to read while it runs.
  init(
    _ arguments: [String], executable: String = Program.path, worker: FilePath? = nil,
    in folder: TemporaryFolder? = nil, output: Pipe? = nil
  ) throws {
    streams = try TemporaryFolder()
    try streams.write("", to: "output")
    try streams.write("", to: "errors")
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = folder.url }
    var environment = ProcessInfo.processInfo.environment
    environment["P"] = Self.path
    if let worker { environment["REELS_PREP_WORKER"] = worker.string }
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput =
      try output
      ?? FileHandle(forWritingTo: streams.url.appendingPathComponent("output")) as Any
    process.standardError = try FileHandle(
      forWritingTo: streams.url.appendingPathComponent("errors"))
    try process.run()
  }

  /// Waits for its end; what still runs after `seconds` is killed, and its code is then a signal's.
  func wait(seconds: Int = 30) throws -> Result {
    let end = ContinuousClock.now + .seconds(seconds)
    while process.isRunning, ContinuousClock.now < end { usleep(2_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return Result(
      code: process.terminationStatus, output: try streams.read("output"),
      errors: try streams.read("errors"))
  }
}
