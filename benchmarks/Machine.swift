internal import Foundation

/// What the results say of the machine: enough to compare, nothing to find it by.
enum Machine {
  static var json: JSONValue {
    [
      "processor": .string(processor),
      "cores": .count(ProcessInfo.processInfo.activeProcessorCount),
      "system": .string(system),
    ]
  }

  /// The processor's model.
  private static var processor: String {
    #if os(Linux)
      let text = String(
        decoding: FileManager.default.contents(atPath: "/proc/cpuinfo") ?? Data(), as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
      return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        ?? "unknown"
    #else
      let answer = try? Command("/usr/sbin/sysctl", ["-n", "machdep.cpu.brand_string"]).run()
      return answer?.text.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
    #endif
  }

  private static var system: String {
    #if os(Linux)
      "Linux"
    #else
      "macOS"
    #endif
  }
}
