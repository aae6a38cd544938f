internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A command line, run as a process of its own and measured as a whole.
struct Command: Hashable, Sendable {
  /// A path.
  let executable: String
  let arguments: [String]

  init(_ executable: String, _ arguments: [String]) {
    self.executable = executable
    self.arguments = arguments
  }

  /// What a process took and said.
  struct Outcome {
    var usage: Usage
    /// What it wrote on standard output.
    var output: Data

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// Runs it to its end, with no input and its output in files, so that it waits for no reader.
  ///
  /// - Parameter watchingMemory: Whether to add up the memory of all its processes as it runs.
  /// - Throws: `BenchError` where it cannot start or does not end with 0.
  @discardableResult
  func run(watchingMemory: Bool = false) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "reels-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))

    let clock = ContinuousClock()
    let start = clock.now
    let child = try ChildProcess.start(self, output: output.path, errors: errors.path)
    let (status, usage) = try child.wait(watchingMemory: watchingMemory)
    let wall = clock.now - start
    guard status == 0 else {
      let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
      throw BenchError("\(name) ended with \(status): \(said.suffix(600))")
    }
    return Outcome(
      usage: Usage(
        cpuSeconds: usage.cpuSeconds, wallSeconds: wall / .seconds(1), peakBytes: usage.peakBytes,
        peakTreeBytes: usage.peakTreeBytes),
      output: try Data(contentsOf: output))
  }

  /// The executable's base name.
  var name: String { URL(filePath: executable).lastPathComponent }

  /// The command as a POSIX shell reads it.
  var shell: String {
    ([executable] + arguments)
      .map { "'" + $0.replacing("'", with: "'\\''") + "'" }
      .joined(separator: " ")
  }
}
