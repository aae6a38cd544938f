import ReelsModel

/// Compares the evidence with the limits, rule by rule.
struct Judge: Sendable {
  let limits: Preset.Limits
  let expected: Expectation
  let decoded: DecodedFacts?
  let evidence: Evidence

  /// What breaks a rule, and where.
  struct Fault: Hashable, Sendable {
    let found: String
    let location: String?
    /// What is allowed, where it is another thing than of the rule's other faults.
    let allowed: String?

    init(_ found: String, at location: String? = nil, allowed: String? = nil) {
      self.found = found
      self.location = location
      self.allowed = allowed
    }

    init(_ fault: MP4Fault) { self.init(fault.found, at: fault.location) }
  }

  var findings: [Finding] {
    containerFindings + timingFindings + videoFindings + pictureFindings + audioFindings
      + decodingFindings
  }

  /// The finding of one rule: it passes with `found`, or is broken by the first of `faults`.
  func judge(
    _ rule: Rule, _ severity: Preset.Severity = .hard, found: String, allowed: String,
    faults: [Fault] = []
  ) -> Finding {
    guard let fault = faults.first else {
      return Finding(
        rule: rule, verdict: .pass, found: found.singleLine, allowed: allowed.singleLine)
    }
    let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
    return Finding(
      rule: rule, verdict: severity == .hard ? .fail : .advised,
      found: (fault.found + more).singleLine, allowed: (fault.allowed ?? allowed).singleLine,
      location: fault.location?.singleLine)
  }

  /// Whether a list of names in a preset holds a name: case, spaces and punctuation do not count.
  static func holds(_ names: [String], _ name: String) -> Bool {
    let plain = { (text: String) in text.lowercased().filter { $0.isLetter || $0.isNumber } }
    return names.contains { plain($0) == plain(name) }
  }

  /// A preset's bound as an exact number, to compare fractions with.
  static func exact(_ bound: Double) -> Ratio { Ratio(approximating: bound) }

  /// A fraction with decimals, those that are zero left out: "29.97", "30".
  static func decimals(_ value: Ratio, _ places: Int) -> String {
    let text = MediaTime(seconds: value).decimals(places)
    guard text.contains(".") else { return text }
    let digits = text.reversed().drop { $0 == "0" }
    return String((digits.first == "." ? digits.dropFirst() : digits).reversed())
  }

  static func range(_ bounds: Preset.Bounds, _ unit: String) -> String {
    "\(decimals(exact(bounds.minimum), 3)) to \(decimals(exact(bounds.maximum), 3)) \(unit)"
  }
}
