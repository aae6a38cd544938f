import ReelsModel

/// The rules of `<queries>`: which apps an app that targets Android 11 or later may see.
struct QueriesRules {
  private static let source = "Android Developers, Package visibility, API level 30"

  /// Of the app, and what the libraries of its project add to it.
  let manifests: [Markup]
  let file: FilePath

  func findings() -> [DoctorFinding] {
    guard let app = manifests.first else { return [] }
    var findings: [DoctorFinding] = []
    for application in app.children(named: "application") {
      for queries in application.children(named: "queries") {
        findings.append(
          finding(
            .error,
            "<queries> is inside <application>, where it is ignored; it belongs in"
              + " <manifest>", at: queries, "queries", fix: Self.fix))
      }
    }
    let queries = manifests.flatMap { $0.children(named: "queries") }.filter { !$0.isRemoved }
    let seesAll = manifests.flatMap { $0.children(named: "uses-permission") }
      .contains { $0.android("name") == "android.permission.QUERY_ALL_PACKAGES" && !$0.isRemoved }
    if seesAll { return findings }
    findings += misspelt(queries)
    let packages = queries.flatMap { $0.children(named: "package") }.filter { !$0.isRemoved }
    let actions = queries.flatMap { $0.children(named: "intent") }
      .flatMap { $0.children(named: "action") }.compactMap { $0.android("name") }
    for seen in SeenApp.all {
      let isSeen =
        packages.contains { $0.android("name") == seen.package }
        || actions.contains { seen.actions.contains($0) }
      if isSeen || findings.contains(where: { $0.sentence.contains(seen.package) }) { continue }
      findings.append(
        finding(
          seen.severity,
          queries.isEmpty
            ? "<queries> is missing, so the app cannot see \(seen.package)"
            : "<queries> does not name \(seen.package), so the app cannot see it",
          at: queries.first ?? app, queries.isEmpty ? "manifest" : "queries",
          fix: queries.isEmpty ? Self.fix : "<package android:name=\"\(seen.package)\" />"))
    }
    return findings
  }

  /// An app that payloads are handed to.
  private struct SeenApp {
    var package: String
    /// Those of its intents that make it visible as well.
    var actions: [String]
    var severity: DoctorFinding.Severity

    /// Meta, Sharing to Reels, Android, 2024-03-18; Sharing to Stories, 2026-06-30.
    static let all = [
      SeenApp(
        package: "com.instagram.android",
        actions: ["com.instagram.share.ADD_TO_REEL", "com.instagram.share.ADD_TO_STORY"],
        severity: .error),
      SeenApp(
        package: "com.facebook.katana",
        actions: ["com.facebook.reels.SHARE_TO_REEL", "com.facebook.stories.ADD_TO_STORY"],
        severity: .advice),
    ]
  }

  private func misspelt(_ queries: [Markup]) -> [DoctorFinding] {
    let packages = queries.flatMap { $0.children(named: "package") }
    return packages.prefix(1_000).compactMap { package in
      guard let name = package.android("name"), !package.isRemoved else {
        return package.isRemoved
          ? nil
          : finding(
            .error, "<package> has no android:name", at: package, "queries/package",
            fix: "<package android:name=\"com.instagram.android\" />")
      }
      let meant = SeenApp.all.first {
        $0.package != name && EditDistance.between(name.lowercased(), $0.package) <= 2
      }
      guard let meant, !packages.contains(where: { $0.android("name") == meant.package }) else {
        return nil
      }
      return finding(
        meant.severity, "\"\(name.prefix(64))\" is no app's name; \(meant.package) is",
        at: package, "queries/package", fix: "<package android:name=\"\(meant.package)\" />")
    }
  }

  private static let fix = """
    <queries>
      <package android:name="com.instagram.android" />
      <package android:name="com.facebook.katana" />
    </queries>
    """

  private func finding(
    _ severity: DoctorFinding.Severity, _ sentence: String, at element: Markup, _ path: String,
    fix: String
  ) -> DoctorFinding {
    DoctorFinding(
      rule: Rule(rawValue: "queries"), severity: severity, sentence: sentence, file: file,
      location: "\(path), line \(element.line)", fix: fix, source: Self.source)
  }
}
