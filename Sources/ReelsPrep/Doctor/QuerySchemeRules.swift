import ReelsModel

/// The rules of `LSApplicationQueriesSchemes` in an Info.plist.
struct QuerySchemeRules {
  static let key = "LSApplicationQueriesSchemes"
  /// Only so many entries count for an app built with Xcode 27 on iOS 27, where it were 50 before:
  /// Apple, canOpenURL(_:), iOS 27.
  static let placesMaximum = 25
  private static let placesSource = "Apple, UIApplication.canOpenURL(_:), iOS 27"
  private static let keySource =
    "Apple, LSApplicationQueriesSchemes; \(HandOffScheme.all[0].source)"
  /// More than this is not looked at one by one.
  private static let entriesMaximum = 1_000

  private let list: PropertyList
  private let file: FilePath

  init(_ list: PropertyList, file: FilePath) {
    self.list = list
    self.file = file
  }

  func findings() -> [DoctorFinding] {
    let found = list.entries(for: Self.key)
    guard let first = found.first else { return [missingKey()] }
    var findings: [DoctorFinding] = []
    if found.count > 1 {
      findings.append(
        finding(
          "query-schemes-repeated", .error,
          "\(Self.key) is there \(found.count) times, and only one of them counts",
          at: "\(Self.key)\(Self.line(found[1].line))",
          fix: whole(found.flatMap { $0.value.elements.compactMap(\.text) })))
    }
    guard case .array(let elements) = first.value.value else {
      return findings + [
        finding(
          "query-schemes-type", .error,
          "\(Self.key) is \(first.value.kind); it must be an array of strings",
          at: "\(Self.key)\(Self.line(first.line))",
          fix: whole(first.value.text.map { [$0] } ?? []))
      ]
    }
    return findings + self.findings(elements, line: first.line)
  }

  private func missingKey() -> DoctorFinding {
    let near = list.entries.first {
      $0.key != Self.key && EditDistance.between($0.key.lowercased(), Self.key.lowercased()) <= 3
    }
    let fix = whole(near?.value.elements.compactMap(\.text) ?? [])
    if let near {
      return finding(
        "query-schemes-missing", .error, "the key is written \(near.key) instead of \(Self.key)",
        at: "\(near.key)\(Self.line(near.line))", fix: fix)
    }
    return finding(
      "query-schemes-missing", .error,
      "\(Self.key) is missing, so the app cannot tell whether Instagram is installed",
      at: nil, fix: fix)
  }

  private func findings(_ elements: [PropertyList], line: Int?) -> [DoctorFinding] {
    let texts = elements.prefix(Self.entriesMaximum).map(\.text)
    // Once: a file may need it a thousand times.
    let whole = whole(texts.compactMap { $0 })
    var findings: [DoctorFinding] = []
    var places: [String: Int] = [:]
    var misspelt: Set<HandOffScheme> = []
    for (index, text) in texts.enumerated() {
      let place = "\(Self.key)[\(index)]\(Self.line(elements[index].line))"
      guard let text else {
        findings.append(
          finding(
            "query-schemes-type", .error,
            "the entry is \(elements[index].kind); it must be a string", at: place,
            fix: "<string>instagram-reels</string>"))
        continue
      }
      if let earlier = places[text] {
        findings.append(
          finding(
            "query-scheme-duplicated", .advice,
            "\(text.prefix(64)) is already entry \(earlier + 1), and takes one of the"
              + " \(Self.placesMaximum) places that count",
            at: place, fix: whole))
        continue
      }
      places[text] = index
      if let meant = HandOffScheme.meant(by: text) {
        misspelt.insert(meant)
        let isAlsoRight = texts.contains(meant.name)
        findings.append(
          finding(
            "query-scheme-misspelt", isAlsoRight ? .advice : .error,
            "\"\(text.prefix(64))\" is written \(meant.name) on Meta's page",
            at: place,
            fix: isAlsoRight ? whole : Self.entry(meant.name),
            source: meant.source))
      }
    }
    findings += late(places, elements, fix: whole)
    for scheme in HandOffScheme.all where places[scheme.name] == nil {
      guard let severity = scheme.severityWhenMissing, !misspelt.contains(scheme) else { continue }
      findings.append(
        finding(
          "query-scheme-missing", severity, "\(scheme.name) is not listed",
          at: "\(Self.key)\(Self.line(line))", fix: Self.entry(scheme.name), source: scheme.source))
    }
    return findings
  }

  /// Entries beyond the places that count.
  private func late(
    _ places: [String: Int], _ elements: [PropertyList], fix: String
  ) -> [DoctorFinding] {
    guard elements.count > Self.placesMaximum else { return [] }
    let late = HandOffScheme.all.filter { (places[$0.name] ?? 0) >= Self.placesMaximum }
    guard !late.isEmpty else {
      return [
        finding(
          "query-scheme-late", .advice,
          "\(elements.count) entries are listed, and iOS 27 looks at the first"
            + " \(Self.placesMaximum) only",
          at: "\(Self.key)[\(Self.placesMaximum)]"
            + Self.line(elements[Self.placesMaximum].line), fix: fix, source: Self.placesSource)
      ]
    }
    return late.map { scheme in
      let index = places[scheme.name] ?? 0
      return finding(
        "query-scheme-late", .error,
        "\(scheme.name) is entry \(index + 1), and iOS 27 looks at the first"
          + " \(Self.placesMaximum) only",
        at: "\(Self.key)[\(index)]\(Self.line(elements[index].line))", fix: fix,
        source: Self.placesSource)
    }
  }

  /// The key with what was listed, put right: the schemes of hand-overs first, each entry once.
  private func whole(_ entries: [String]) -> String {
    let entries = entries.prefix(Self.entriesMaximum).map { (text: $0, meant: Self.scheme(of: $0)) }
    let listed = Set(entries.compactMap(\.meant))
    var names = HandOffScheme.all.filter { listed.contains($0) || $0.severityWhenMissing != nil }
      .map(\.name)
    var seen: Set<String> = [""]
    for entry in entries where entry.meant == nil && seen.insert(entry.text).inserted {
      names.append(entry.text)
    }
    let shown = names.prefix(Self.shownMaximum)
    let rest =
      names.count > shown.count ? ["  <!-- and the other \(names.count - shown.count) -->"] : []
    return
      (["<key>\(Self.key)</key>", "<array>"] + shown.map { "  \(Self.entry($0))" } + rest
      + ["</array>"]).joined(separator: "\n")
  }

  /// The scheme of a hand-over that an entry is, or was meant to be.
  private static func scheme(of entry: String) -> HandOffScheme? {
    HandOffScheme.exact(entry) ?? HandOffScheme.meant(by: entry)
  }

  /// More than this nobody pastes.
  private static let shownMaximum = 60

  private static func entry(_ name: String) -> String {
    "<string>\(Markup.escaped(String(name.prefix(200))))</string>"
  }

  private static func line(_ line: Int?) -> String { line.map { ", line \($0)" } ?? "" }

  private func finding(
    _ rule: String, _ severity: DoctorFinding.Severity, _ sentence: String, at place: String?,
    fix: String, source: String = Self.keySource
  ) -> DoctorFinding {
    DoctorFinding(
      rule: Rule(rawValue: rule), severity: severity, sentence: sentence, file: file,
      location: place, fix: fix, source: source)
  }
}
