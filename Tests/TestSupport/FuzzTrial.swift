import Foundation

/// One damaged file put through the command, and what must hold whatever is in it.
package struct FuzzTrial: Sendable {
  /// The command.
  package let program: Tool
  package let work: TemporaryDirectory

  /// Seconds for an answer: what the product allows itself for opening a file and reading a window, and a
  /// build that checks memory is ten times slower.
  package static let timeout = 600.0

  package init(program: Tool) throws {
    self.program = program
    work = try TemporaryDirectory()
  }

  /// Inspects the file and makes a payload of a second of it, held for three.
  ///
  /// - Returns: what is wrong, in sentences; empty where all is well.
  package func run(_ bytes: [UInt8], seed: UInt64) throws -> [String] {
    let file = work.file("input")
    try Data(bytes).write(to: file)
    let output = work.file("output")
    defer { try? FileManager.default.removeItem(at: output) }
    let calls = [
      ["inspect", file.path, "--json"],
      [
        file.path, "-o", output.path, "--duration", "1", "--short", "hold", "--effort", "fast",
        "--json",
      ],
    ]
    return calls.flatMap { arguments in problems(arguments, output: output) }
  }

  private func problems(_ arguments: [String], output: URL) -> [String] {
    let what = arguments[0] == "inspect" ? "inspect" : "prepare"
    let ended: Tool.Output
    do {
      ended = try program.outcome(
        arguments,
        environment: ["ASAN_OPTIONS": "exitcode=\(Self.sanitizerCode):detect_leaks=0"],
        timeout: Self.timeout)
    } catch {
      return ["\(what): \(error)"]
    }
    var problems: [String] = []
    // Success, some failed, usage, the input's fault, the output's (docs: contract of the exit codes).
    if ![0, 1, 65, 74].contains(ended.status) {
      problems.append("\(what) ended with \(ended.status): \(ended.stderr.suffix(2_000))")
    }
    if ended.stderr.contains("AddressSanitizer") {
      problems.append("\(what): \(ended.stderr.suffix(4_000))")
    }
    let lines = ended.text.split(separator: "\n")
    for line in lines {
      guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      else {
        problems.append("\(what) wrote a line that is no JSON: \(line.prefix(200))")
        continue
      }
      // The input's own faults have other names.
      let faults = ["crashed", "program", "verification"]
      if let code = object["code"] as? String, faults.contains(code) {
        problems.append("\(what) failed by its own fault: \(line.prefix(1_000))")
      }
    }
    if what == "prepare" { problems += leftovers(in: output, hasSucceeded: ended.status == 0) }
    return problems
  }

  /// A payload is whole or absent.
  private func leftovers(in output: URL, hasSucceeded: Bool) -> [String] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: output.path)) ?? []
    let payloads = found.filter { $0.hasSuffix(".reel") && !$0.hasPrefix(".") }
    var problems: [String] = []
    if hasSucceeded, payloads.isEmpty { problems.append("success without a payload") }
    if !hasSucceeded, !payloads.isEmpty { problems.append("a failure that left \(payloads)") }
    let others = found.filter { !payloads.contains($0) && $0.contains("partial") }
    if !others.isEmpty { problems.append("left behind: \(others)") }
    return problems
  }

  private static let sanitizerCode = 99
}
