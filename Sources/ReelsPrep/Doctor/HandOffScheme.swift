import ReelsModel

/// A URL scheme that a payload is handed over by.
struct HandOffScheme: Hashable, Sendable {
  var name: String
  /// How bad it is where an app does not list it; nil where no payload needs it.
  var severityWhenMissing: DoctorFinding.Severity?
  /// The page that asks for it.
  var source: String

  static let all = [
    HandOffScheme(
      name: "instagram-reels", severityWhenMissing: .error,
      source: "Meta, Sharing to Reels, iOS, 2026-04-06"),
    HandOffScheme(
      name: "instagram-stories", severityWhenMissing: .advice,
      source: "Meta, Sharing to Stories, 2026-06-30"),
    HandOffScheme(
      name: "facebook-reels", severityWhenMissing: .advice,
      source: "Meta, Sharing to Facebook Reels, iOS, 2026-06-30"),
    HandOffScheme(
      name: "facebook-stories", severityWhenMissing: nil,
      source: "Meta, Sharing to Facebook Stories, iOS, 2026-06-30"),
  ]

  /// What else of Meta's apps list, and is near a hand-over's scheme without being meant as one.
  private static let others: Set = ["instagram", "facebook", "instagram-capture", "fb-messenger"]

  /// The scheme that an entry is, letter by letter.
  static func exact(_ entry: String) -> HandOffScheme? { all.first { $0.name == entry } }

  /// The scheme that an entry was meant to be; nil for a right one and for another app's.
  static func meant(by entry: String) -> HandOffScheme? {
    guard exact(entry) == nil, !others.contains(entry) else { return nil }
    let letters = letters(of: entry)
    guard lettersOfNear.contains(letters.count), !others.contains(letters) else { return nil }
    if let same = all.first(where: { Self.letters(of: $0.name) == letters }) { return same }
    let ranked = all.map { ($0, EditDistance.between(letters, Self.letters(of: $0.name))) }
    guard let nearest = ranked.min(by: { $0.1 < $1.1 }), nearest.1 <= mistakesMaximum else {
      return nil
    }
    return nearest.0
  }

  /// "instagram-story" is 3 away, and no two of the schemes are nearer than 5 to each other.
  private static let mistakesMaximum = 3

  /// Fewer are too vague to be meant as one, and more are another scheme's.
  private static let lettersOfNear = 8...20

  /// The letters alone, in lower case, without what follows a colon: case, hyphens, blanks and
  /// "://" are the commonest mistakes.
  private static func letters(of text: String) -> String {
    String(text.prefix(64).prefix { $0 != ":" }.lowercased().filter(\.isLetter))
  }
}
