internal import ReelsModel

/// A report for people: a line for each rule, and for those that are broken why, where and what to do.
enum CheckText {
  static func lines(_ report: CheckReport) -> [String] {
    let width = report.rules.map(\.rule.rawValue.count).max() ?? 0
    var lines = ["\(report.file): \(report.preset), revision \(report.revision)"]
    for rule in report.rules {
      let name = rule.rule.rawValue
      let gap = String(repeating: " ", count: width - name.count + 2)
      lines.append("  \(word(rule.verdict))  \(name)\(gap)\(rule.found)")
      guard rule.verdict != .pass else { continue }
      let indent = String(repeating: " ", count: 11)
      lines.append("\(indent)allowed: \(rule.allowed)")
      if let place = rule.location { lines.append("\(indent)at: \(place)") }
      let subcode = rule.subcode.map { "; Graph error \($0)" } ?? ""
      lines.append("\(indent)source: \(rule.source)\(subcode)")
      if let remedy = rule.remedy { lines.append("\(indent)remedy: \(remedy)") }
    }
    let summary = report.summary
    let result =
      summary.failed == 0
      ? "every rule is kept" : "\(summary.failed) of \(report.rules.count) rules are broken"
    let advice = summary.advised == 0 ? "" : ", \(summary.advised) recommendations are not met"
    lines.append("\(report.file): \(result)\(advice)")
    return lines.map(\.singleLine)
  }

  private static func word(_ verdict: Finding.Verdict) -> String {
    switch verdict {
    case .pass: "pass   "
    case .fail: "FAIL   "
    case .advised: "advised"
    }
  }
}
