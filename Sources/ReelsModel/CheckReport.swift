/// What checking one file or payload by a preset found.
public struct CheckReport: Hashable, Sendable {
  public var file: FilePath
  public var preset: String
  public var revision: Int
  public var rules: [CheckedRule]

  public init(file: FilePath, preset: String, revision: Int, rules: [CheckedRule]) {
    self.file = file
    self.preset = preset
    self.revision = revision
    self.rules = rules
  }

  public var failures: [CheckedRule] { rules.filter { $0.verdict == .fail } }

  public var summary: Summary {
    Summary(
      file: file, preset: preset, revision: revision,
      passed: rules.count { $0.verdict == .pass }, failed: failures.count,
      advised: rules.count { $0.verdict == .advised })
  }

  /// The last line of a file's report.
  public struct Summary: Hashable, Sendable, Codable {
    public var file: FilePath
    public var preset: String
    public var revision: Int
    public var passed: Int
    public var failed: Int
    public var advised: Int
  }
}

/// One rule of a preset and what a file makes of it.
public struct CheckedRule: Hashable, Sendable, Encodable {
  public var rule: Rule
  public var verdict: Finding.Verdict
  public var found: String
  public var allowed: String
  /// A box path with its byte offset, or a frame number; nil where the rule is about the whole file.
  public var location: String?
  /// The page that the rule is from, and its date.
  public var source: String
  /// The Graph API's error subcode for a file that breaks it, where one is known.
  public var subcode: Int?
  /// A command that makes a file that keeps the rule.
  public var remedy: String?

  public init(
    rule: Rule, verdict: Finding.Verdict, found: String, allowed: String, location: String?,
    source: String, subcode: Int?, remedy: String?
  ) {
    self.rule = rule
    self.verdict = verdict
    self.found = found
    self.allowed = allowed
    self.location = location
    self.source = source
    self.subcode = subcode
    self.remedy = remedy
  }

  private enum CodingKeys: String, CodingKey {
    case rule, verdict, found, allowed
    case location = "where"
    case source, subcode, remedy
  }

  /// `where` is always there, null where the rule is about the whole file.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(rule, forKey: .rule)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(found, forKey: .found)
    try container.encode(allowed, forKey: .allowed)
    try container.encode(location, forKey: .location)
    try container.encode(source, forKey: .source)
    try container.encodeIfPresent(subcode, forKey: .subcode)
    try container.encodeIfPresent(remedy, forKey: .remedy)
  }
}
