/// How far one word is from another.
package enum EditDistance {
  /// Letters left out, added, changed or exchanged with their neighbour (optimal string alignment).
  package static func between(_ a: String, _ b: String) -> Int {
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
