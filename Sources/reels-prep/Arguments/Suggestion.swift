internal import ReelsModel

/// Finds what somebody may have meant.
enum Suggestion {
  /// The candidate that `word` begins, or else the one with the fewest typing mistakes between.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let word = word.lowercased()
    if !word.isEmpty, let longer = candidates.first(where: { $0.hasPrefix(word) }) { return longer }
    return candidates.min {
      EditDistance.between(word, $0) < EditDistance.between(word, $1)
    }
  }
}
