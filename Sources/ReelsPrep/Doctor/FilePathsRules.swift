import ReelsModel

/// The rules of the file in `res/xml` that says which directories a `FileProvider` shares.
struct FilePathsRules {
  private static let source = "Android Developers, androidx.core.content.FileProvider"
  static let fix = """
    <paths>
      <cache-path name="payloads" path="payloads/" />
    </paths>
    """

  /// What a file may say, and whether it is a place for payloads: a directory of the app's own.
  private static let kinds = [
    "files-path": true, "cache-path": true, "external-files-path": true,
    "external-cache-path": true, "external-media-path": true, "external-path": false,
    "root-path": false,
  ]

  let root: Markup
  let file: FilePath

  func findings() -> [DoctorFinding] {
    guard root.name == "paths" || root.name == "resources" else {
      return [
        finding(
          .error, "the file's element is <\(root.name.prefix(64))>; it must be <paths>", at: root,
          fix: Self.fix)
      ]
    }
    let entries = root.name == "paths" ? root.children : root.children.flatMap(\.children)
    let shared = entries.filter { Self.kinds[$0.name] != nil && $0.attributes["name"] != "" }
    guard !shared.isEmpty else {
      return [
        finding(
          .error, "no directory is shared, so no file of a payload can be", at: root,
          fix: Self.fix)
      ]
    }
    var findings = entries.prefix(1_000).compactMap { self.finding($0) }
    if !shared.contains(where: { Self.kinds[$0.name] == true }) {
      findings.append(
        finding(
          .advice, "none of the app's own directories is shared, and a payload lies in one",
          at: root,
          fix: #"<cache-path name="payloads" path="payloads/" />"#))
    }
    return findings
  }

  private func finding(_ entry: Markup) -> DoctorFinding? {
    guard Self.kinds[entry.name] != nil else {
      let near = Self.kinds.keys.sorted().min {
        EditDistance.between(entry.name, $0) < EditDistance.between(entry.name, $1)
      }
      return finding(
        .error, "<\(entry.name.prefix(64))> is no kind of directory, and shares nothing", at: entry,
        fix: "<\(near ?? "cache-path") name=\"payloads\" path=\"payloads/\" />")
    }
    if (entry.attributes["name"] ?? "").isEmpty {
      return finding(
        .error, "<\(entry.name)> has no name, and the FileProvider fails", at: entry,
        fix: "<\(entry.name) name=\"payloads\" path=\"payloads/\" />")
    }
    if entry.name == "root-path" {
      return finding(
        .advice, "<root-path> shares every file that the app can read", at: entry, fix: Self.fix)
    }
    return nil
  }

  private func finding(
    _ severity: DoctorFinding.Severity, _ sentence: String, at element: Markup, fix: String
  ) -> DoctorFinding {
    DoctorFinding(
      rule: Rule(rawValue: "file-provider-paths"), severity: severity, sentence: sentence,
      file: file, location: "\(element.name), line \(element.line)", fix: fix, source: Self.source)
  }
}
