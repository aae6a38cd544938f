internal import ReelsModel

/// A doctor's report for people: each finding with its place, its source and what to paste.
enum DoctorText {
  static func lines(_ report: DoctorReport) -> [String] {
    var lines: [String] = []
    for file in report.files {
      let own = report.findings.filter { $0.file == file }
      lines.append("\(file): \(own.isEmpty ? "nothing to mend" : count(own.count, "finding"))")
      lines += own.flatMap(Self.lines)
    }
    // Of files that could not be read.
    for finding in report.findings where !report.files.contains(finding.file) {
      lines += Self.lines(finding)
    }
    let summary = report.summary
    if summary.isCutShort {
      lines.append("\(report.path): the search was cut short; name the app's own files")
    }
    let passed = summary.passedOver == 0 ? "" : ", \(summary.passedOver) files passed over"
    lines.append(
      "\(report.path): \(count(summary.errors, "error")), \(summary.advice) of advice\(passed)")
    return lines.map(\.singleLine)
  }

  private static func lines(_ finding: DoctorFinding) -> [String] {
    let indent = String(repeating: " ", count: 10)
    var lines = ["  \(word(finding.severity))  \(finding.sentence)"]
    if let place = finding.location { lines.append("\(indent)at: \(place)") }
    lines.append("\(indent)source: \(finding.source)")
    if !finding.fix.isEmpty {
      lines.append("\(indent)fix:")
      lines += finding.fix.split(separator: "\n").map { "\(indent)  \($0)" }
    }
    return lines
  }

  private static func word(_ severity: DoctorFinding.Severity) -> String {
    switch severity {
    case .error: "ERROR "
    case .advice: "advice"
    }
  }

  private static func count(_ count: Int, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }
}
