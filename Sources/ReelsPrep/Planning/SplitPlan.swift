/// How many frames each part of a longer video has.
enum SplitPlan {
  /// Parts as long as they may be, and a rest; a rest that is too short takes from the part before it.
  ///
  /// - Parameters:
  ///   - least: frames that a part needs.
  ///   - most: frames that a part may have, at least `least`.
  static func counts(frames: Int, least: Int, most: Int) -> [Int] {
    var counts: [Int] = []
    var left = frames
    while left > most {
      let rest = left - most
      // Two parts share what is left, where one would be too short.
      let count = rest < least ? most - (least - rest) : most
      counts.append(max(1, count))
      left -= max(1, count)
    }
    if left > 0 { counts.append(left) }
    return counts
  }
}
