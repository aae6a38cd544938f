package import Foundation

/// A command that the tests run and listen to: its output is read while it runs, it cannot ask a
/// question, and it is killed when it takes too long.
package struct Tool: Sendable {
  /// A name that is looked up in `PATH`, or a path.
  package let name: String

  package init(_ name: String) { self.name = name }

  package static let ffmpeg = Tool("ffmpeg")
  package static let ffprobe = Tool("ffprobe")
  package static let mediainfo = Tool("mediainfo")
  package static let handBrake = Tool("HandBrakeCLI")

  /// An executable that this package builds, from the folder that holds the running tests.
  package static func built(_ product: String) -> Tool {
    let bundle = Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" } ?? Bundle.main
    let folder =
      bundle.bundleURL.pathExtension == "xctest"
      ? bundle.bundleURL.deletingLastPathComponent() : bundle.bundleURL
    return Tool(folder.appending(path: product).path)
  }

  package var isAvailable: Bool { location != nil }

  private var location: URL? {
    let files = FileManager.default
    if name.contains("/") {
      return files.isExecutableFile(atPath: name) ? URL(filePath: name) : nil
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").lazy
      .map { URL(filePath: String($0)).appending(path: name) }
      .first { files.isExecutableFile(atPath: $0.path) }
  }

  /// What a command said, and how it ended.
  package struct Output: Sendable {
    /// The exit code, or minus the number of the signal that ended it.
    package let status: Int32
    package let stdout: Data
    package let stderr: String

    package var text: String { String(decoding: stdout, as: UTF8.self) }
  }

  /// A command that is not there, took too long or, through `run`, ended with a code other than 0.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Runs the command and returns its output.
  ///
  /// - Throws: `Failure` where the exit code is not 0, with the end of what it said.
  @discardableResult
  package func run(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String]? = nil,
    timeout: Double = 120, feeding feed: (@Sendable (ToolInput) throws -> Void)? = nil
  ) throws -> Output {
    let output = try outcome(
      arguments, in: directory, environment: environment, timeout: timeout, feeding: feed)
    guard output.status == 0 else {
      throw Failure(
        description: "\(line(arguments)) ended with \(output.status): \(output.stderr.suffix(2000))"
      )
    }
    return output
  }

  /// Runs the command and returns how it ended, whatever its exit code.
  ///
  /// - Parameters:
  ///   - environment: Added to the tests' own.
  ///   - timeout: Seconds after which it is killed.
  ///   - feed: Writes its standard input, in a thread of its own; without it there is none.
  /// - Throws: `Failure` where it is not there or took too long.
  package func outcome(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String]? = nil,
    timeout: Double = 120, feeding feed: (@Sendable (ToolInput) throws -> Void)? = nil
  ) throws -> Output {
    guard let location else { throw Failure(description: "there is no command \(name)") }
    let process = Process()
    process.executableURL = location
    process.arguments = arguments
    process.currentDirectoryURL = directory
    if let environment {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }

    // A child that inherits another child's pipe keeps it open, so children are started one by one.
    let (input, output, errors) = try Self.starting.withLock {
      let pipes = (input: feed.map { _ in Pipe() }, output: Pipe(), errors: Pipe())
      process.standardInput = pipes.input ?? FileHandle.nullDevice
      process.standardOutput = pipes.output
      process.standardError = pipes.errors
      try Self.withoutBlockedSignals { try process.run() }
      return pipes
    }
    let said = Drain(output.fileHandleForReading)
    let complained = Drain(errors.fileHandleForReading)
    if let input, let feed { ToolInput.feed(input.fileHandleForWriting, feed) }

    guard ended.wait(timeout: .now() + timeout) == .success else {
      kill(process.processIdentifier, SIGKILL)
      throw Failure(description: "\(line(arguments)) took more than \(timeout) s and was killed")
    }
    let status = process.terminationStatus
    return Output(
      status: process.terminationReason == .exit ? status : -status, stdout: said.wait(),
      stderr: String(decoding: complained.wait(), as: UTF8.self))
  }

  private func line(_ arguments: [String]) -> String {
    ([name] + arguments).joined(separator: " ")
  }

  private static let starting = NSLock()

  /// The threads that tests run on block signals, and a child inherits that: it would not hear
  /// Ctrl-C.
  private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }
}

/// Reads a pipe to its end in a thread of its own, so that the writer never waits.
private final class Drain: @unchecked Sendable {
  // Sound: written by the thread before it signals, read after the signal.
  private var data = Data()
  private let done = DispatchSemaphore(value: 0)

  init(_ handle: FileHandle) {
    Thread.detachNewThread { [self] in
      data = (try? handle.readToEnd()) ?? Data()
      try? handle.close()
      done.signal()
    }
  }

  func wait() -> Data {
    done.wait()
    return data
  }
}
