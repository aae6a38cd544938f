/// What an app's files lack for a hand-over to Instagram and Facebook.
public struct DoctorReport: Hashable, Sendable {
  /// What was named: a file, a bundle or a project's folder.
  public var path: FilePath
  /// The files that were checked.
  public var files: [FilePath]
  public var findings: [DoctorFinding]
  /// Files of a project that are not the app's own: of tests, extensions and frameworks.
  public var passedOver: Int
  /// Whether the search of a folder ended at one of its bounds.
  public var isCutShort: Bool

  public init(
    path: FilePath, files: [FilePath], findings: [DoctorFinding], passedOver: Int = 0,
    isCutShort: Bool = false
  ) {
    self.path = path
    self.files = files
    self.findings = findings
    self.passedOver = passedOver
    self.isCutShort = isCutShort
  }

  public var summary: Summary {
    Summary(
      path: path, files: files, errors: findings.count { $0.severity == .error },
      advice: findings.count { $0.severity == .advice }, passedOver: passedOver,
      isCutShort: isCutShort)
  }

  /// The last line of a report.
  public struct Summary: Hashable, Sendable, Encodable {
    public let type = "summary"
    public var path: FilePath
    public var files: [FilePath]
    public var errors: Int
    public var advice: Int
    public var passedOver: Int
    public var isCutShort: Bool
  }
}

/// One thing that keeps a hand-over from working, or may.
public struct DoctorFinding: Hashable, Sendable, Encodable {
  public enum Severity: String, Hashable, Sendable, Codable {
    /// The hand-over does not work as the platform's page describes it.
    case error
    /// It works, or it may not be wanted here.
    case advice
  }

  public var rule: Rule
  public var severity: Severity
  /// One line, safe to print, without a full stop at its end.
  public var sentence: String
  public var file: FilePath
  /// A key path or an element, with its line where the file is text; nil for the whole file.
  public var location: String?
  /// What to put in its place: XML, safe to print, lines parted by "\n".
  public var fix: String
  /// The page that the rule is from, with its date or version.
  public var source: String

  public init(
    rule: Rule, severity: Severity, sentence: String, file: FilePath, location: String?,
    fix: String, source: String
  ) {
    self.rule = rule
    self.severity = severity
    self.sentence = sentence.singleLine
    self.file = file
    self.location = location?.singleLine
    self.fix = fix.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).singleLine }.joined(separator: "\n")
    self.source = source
  }

  private enum CodingKeys: String, CodingKey {
    case type, rule, severity, sentence, file
    case location = "where"
    case fix, source
  }

  /// `where` is always there, null where the finding is about the whole file.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode("finding", forKey: .type)
    try container.encode(rule, forKey: .rule)
    try container.encode(severity, forKey: .severity)
    try container.encode(sentence, forKey: .sentence)
    try container.encode(file, forKey: .file)
    try container.encode(location, forKey: .location)
    try container.encode(fix, forKey: .fix)
    try container.encode(source, forKey: .source)
  }
}
