import Foundation
import TestSupport

/// The figures of every run so far, in `benchmarks/results`, for `benchmarks/report` to chart.
enum ThroughputHistory {
  struct Entry: Codable {
    /// ISO 8601, the same for all entries of a run.
    var date: String
    var commit: String
    /// The processor's model and how many there are.
    var machine: String
    /// What was measured.
    var name: String
    var framesPerSecond: Double
  }

  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let file = package.appending(
    path: "benchmarks/results/throughput-history.json")
  private static let date = Date.now.formatted(.iso8601)

  /// Prints a figure and, in release mode, adds it to the file.
  static func add(_ name: String, framesPerSecond: Double) throws {
    let figure = (framesPerSecond * 10).rounded() / 10
    print("\(name): \(figure) frames/s")
    #if !DEBUG
      let stored = FileManager.default.contents(atPath: file.path) ?? Data("[]".utf8)
      var entries = try JSONDecoder().decode([Entry].self, from: stored)
      entries.append(
        Entry(
          date: date, commit: commit, machine: machine, name: name, framesPerSecond: figure))
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try (encoder.encode(entries) + Data("\n".utf8)).write(to: file, options: .atomic)
    #endif
  }

  /// With `-dirty` where the sources differ from it.
  private static let commit: String = {
    let git = Tool("git")
    guard
      let hash = try? git.run(["rev-parse", "--short=12", "HEAD"], in: package).text,
      let changes = try? git.run(
        ["status", "--porcelain", "--", "Sources", "Presets", "Package.swift"], in: package
      ).text
    else { return "unknown" }
    let name = hash.trimmingCharacters(in: .whitespacesAndNewlines)
    return name + (changes.isEmpty ? "" : "-dirty")
  }()

  private static let machine: String = {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let linux = String(
      decoding: FileManager.default.contents(atPath: "/proc/cpuinfo") ?? Data(), as: UTF8.self)
    let line = linux.split(separator: "\n").first { $0.hasPrefix("model name") }
    let mac = try? Tool("/usr/sbin/sysctl").run(["-n", "machdep.cpu.brand_string"]).text
    let model = line?.split(separator: ":").last.map(String.init) ?? mac ?? "unknown"
    return "\(model.trimmingCharacters(in: .whitespacesAndNewlines)), \(cores) processors"
  }()
}
