/// Finds what somebody may have meant.
enum Suggestion {
  /// The candidate that `word` begins, or else the one with the fewest typing mistakes between.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let word = word.lowercased()
    if !word.isEmpty, let longer = candidates.first(where: { $0.hasPrefix(word) }) { return longer }
    return candidates.min { distance(word, $0) < distance(word, $1) }
  }

  /// Letters left out, added, changed or exchanged with their neighbour (optimal string alignment).
  static func distance(_ a: String, _ b: String) -> Int {
    // A word longer than any candidate by this much has no nearest one worth the work.
    let (a, b) = (Array(a.prefix(64)), Array(b.prefix(64)))
    var rows = [Array(0...b.count)]
    for (i, x) in a.enumerated() {
      var row = [i + 1]
      for (j, y) in b.enumerated() {
        var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (x == y ? 0 : 1))
        if i > 0, j > 0, x == b[j - 1], a[i - 1] == y { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
