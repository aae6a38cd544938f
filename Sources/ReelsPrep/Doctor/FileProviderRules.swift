import ReelsModel

/// The rules of the `FileProvider` that gives Instagram the payload's files.
struct FileProviderRules {
  private static let source = "Android Developers, androidx.core.content.FileProvider"
  private static let metaName = "android.support.FILE_PROVIDER_PATHS"

  /// The app's, and those of the libraries of its project.
  let manifests: [Markup]
  let file: FilePath

  func findings() -> [DoctorFinding] {
    let providers = providers
    guard !providers.isEmpty else {
      return [
        finding(
          "file-provider", .error,
          "there is no FileProvider, and Instagram cannot read a file without one",
          at: manifests.first?.children(named: "application").first, fix: Self.fix)
      ]
    }
    var findings = providers.flatMap { self.findings($0) }
    var seen: Set<String> = []
    for provider in providers {
      guard let authority = provider.android("authorities"), !authority.isEmpty else { continue }
      if !seen.insert(authority).inserted {
        findings.append(
          finding(
            "file-provider-authority", .error,
            "the authority \(authority.prefix(100)) is there twice; the app does not install",
            at: provider, fix: Self.authorities))
      }
    }
    return findings
  }

  /// Each name of a resource in `res/xml` that says which directories are shared, and its element.
  var pathResources: [(name: String, element: Markup)] {
    providers.compactMap { provider in
      guard let meta = Self.meta(of: provider), let name = Self.resource(of: meta) else {
        return nil
      }
      return (name, meta)
    }
  }

  private var providers: [Markup] {
    manifests.flatMap { $0.children(named: "application") }
      .flatMap { $0.children(named: "provider") }
      .filter { provider in
        !provider.isRemoved
          && (provider.android("name")?.hasSuffix("FileProvider") == true
            || Self.meta(of: provider) != nil)
      }
  }

  private func findings(_ provider: Markup) -> [DoctorFinding] {
    var findings: [DoctorFinding] = []
    func add(
      _ rule: String, _ sentence: String, _ severity: DoctorFinding.Severity = .error,
      at element: Markup? = nil, fix: String
    ) {
      findings.append(finding(rule, severity, sentence, at: element ?? provider, fix: fix))
    }
    if provider.android("exported") == "true" {
      add(
        "file-provider-exported", "the FileProvider is exported, and fails when the app starts",
        fix: #"android:exported="false""#)
    }
    if [nil, "false"].contains(provider.android("grantUriPermissions")) {
      add(
        "file-provider-grants",
        "the FileProvider does not grant permissions, and fails when the app starts",
        fix: #"android:grantUriPermissions="true""#)
    }
    let authorities = provider.android("authorities") ?? ""
    if authorities.isEmpty {
      add(
        "file-provider-authority", "the FileProvider has no android:authorities",
        fix: Self.authorities)
    } else if !authorities.contains("${applicationId}") && !authorities.hasPrefix("@string/") {
      add(
        "file-provider-authority",
        "the authority \(authorities.prefix(100)) is the same for every build of the app, and two"
          + " of them do not install beside each other", .advice,
        fix: Self.authorities)
    }
    guard let meta = Self.meta(of: provider) else {
      add(
        "file-provider-paths", "the FileProvider has no meta-data \(Self.metaName)",
        fix: Self.metaFix)
      return findings
    }
    if Self.resource(of: meta) == nil {
      add(
        "file-provider-paths",
        "the meta-data \(Self.metaName) names no file of res/xml in android:resource", at: meta,
        fix: Self.metaFix)
    }
    return findings
  }

  private static func meta(of provider: Markup) -> Markup? {
    provider.children(named: "meta-data").first { $0.android("name") == metaName }
  }

  /// "file_paths" of "@xml/file_paths".
  private static func resource(of meta: Markup) -> String? {
    guard let value = meta.android("resource"), value.hasPrefix("@xml/") else { return nil }
    let name = value.dropFirst("@xml/".count)
    // Android, "App resources": lower-case letters, digits and underscores name a file.
    let isPlain = name.utf8.allSatisfy { byte in
      let scalar = Unicode.Scalar(byte)
      return ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "_"
    }
    return isPlain && !name.isEmpty && name.count <= 100 ? String(name) : nil
  }

  /// Where a resource that a provider names is no file.
  func missing(
    _ name: String, _ element: Markup, severity: DoctorFinding.Severity
  ) -> DoctorFinding {
    finding(
      "file-provider-paths", severity, "res/xml/\(name).xml is not there", at: element,
      fix: FilePathsRules.fix)
  }

  private static let authorities = #"android:authorities="${applicationId}.fileprovider""#
  private static let metaFix = """
    <meta-data
      android:name="\(metaName)"
      android:resource="@xml/file_paths" />
    """
  private static let fix = """
    <provider
      android:name="androidx.core.content.FileProvider"
      \(authorities)
      android:exported="false"
      android:grantUriPermissions="true">
      <meta-data
        android:name="\(metaName)"
        android:resource="@xml/file_paths" />
    </provider>
    """

  private func finding(
    _ rule: String, _ severity: DoctorFinding.Severity, _ sentence: String, at element: Markup?,
    fix: String
  ) -> DoctorFinding {
    DoctorFinding(
      rule: Rule(rawValue: rule), severity: severity, sentence: sentence, file: file,
      location: element.map { element in
        let path =
          switch element.name {
          case "provider": "application/provider"
          case "meta-data": "application/provider/meta-data"
          default: element.name
          }
        return "\(path), line \(element.line)"
      }, fix: fix, source: Self.source)
  }
}
