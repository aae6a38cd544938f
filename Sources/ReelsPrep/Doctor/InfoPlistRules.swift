import ReelsModel

/// The rules of an app's Info.plist.
struct InfoPlistRules {
  static let appIDKey = "FacebookAppID"
  private static let appIDSource =
    "Meta, Sharing to Reels, iOS, 2026-04-06; Sharing to Stories, 2026-06-30"

  let list: PropertyList
  let file: FilePath

  func findings() -> [DoctorFinding] {
    guard case .dictionary = list.value else {
      return [
        finding(
          "info-plist-type", .error, "the property list is \(list.kind); it must be a dictionary",
          at: nil, fix: "<dict>\n</dict>", source: "Apple, Information Property List")
      ]
    }
    return QuerySchemeRules(list, file: file).findings() + appID() + claimedSchemes()
  }

  private func appID() -> [DoctorFinding] {
    let key = Self.appIDKey
    let fix = "<key>\(key)</key>\n<string>YOUR_APP_ID</string>"
    let found = list.entries(for: key)
    guard let first = found.first else {
      let near = list.entries.first {
        $0.key != key && EditDistance.between($0.key.lowercased(), key.lowercased()) <= 2
      }
      let sentence =
        near.map { "the key is written \($0.key) instead of \(key)" }
        ?? "\(key) is missing; Reels and Stories refuse what comes without an app ID"
        + " (one that code passes is not seen here)"
      return [
        finding(
          "app-id", .error, sentence, at: near.map { $0.key + Self.line($0.line) }, fix: fix,
          source: Self.appIDSource)
      ]
    }
    func wrong(_ sentence: String) -> [DoctorFinding] {
      [
        finding(
          "app-id", .error, sentence, at: key + Self.line(first.line), fix: fix,
          source: Self.appIDSource)
      ]
    }
    if found.count > 1 {
      return wrong("\(key) is there \(found.count) times, and only one of them counts")
    }
    guard let text = first.value.text else {
      return wrong("\(key) is \(first.value.kind); it must be a string of digits")
    }
    guard Self.mayBeAppID(text) else {
      return wrong("\(key) is \"\(text.prefix(64))\", which is no app ID: digits alone are one")
    }
    return []
  }

  /// Digits, or a build setting that is put in while building.
  private static func mayBeAppID(_ text: String) -> Bool {
    if text.hasPrefix("$(") || text.hasPrefix("${") { return true }
    return !text.isEmpty && text.utf8.count <= 32
      && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// An app that answers to Instagram's own scheme is opened in its place.
  private func claimedSchemes() -> [DoctorFinding] {
    let types = list["CFBundleURLTypes"]?.elements ?? []
    return types.prefix(Self.typesMaximum).enumerated().flatMap { index, type in
      let schemes = type["CFBundleURLSchemes"]?.elements ?? []
      return schemes.prefix(Self.typesMaximum).compactMap { element -> DoctorFinding? in
        guard let text = element.text, let scheme = HandOffScheme.exact(text) else { return nil }
        return finding(
          "claimed-scheme", .error,
          "the app claims \(scheme.name) as its own; it belongs in \(QuerySchemeRules.key)",
          at: "CFBundleURLTypes[\(index)].CFBundleURLSchemes" + Self.line(element.line),
          fix: "<key>\(QuerySchemeRules.key)</key>\n<array>\n  <string>\(scheme.name)</string>\n"
            + "</array>",
          source: scheme.source)
      }
    }
  }

  private static let typesMaximum = 100

  private static func line(_ line: Int?) -> String { line.map { ", line \($0)" } ?? "" }

  private func finding(
    _ rule: String, _ severity: DoctorFinding.Severity, _ sentence: String, at place: String?,
    fix: String, source: String
  ) -> DoctorFinding {
    DoctorFinding(
      rule: Rule(rawValue: rule), severity: severity, sentence: sentence, file: file,
      location: place, fix: fix, source: source)
  }
}
