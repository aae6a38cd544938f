/// Finds the frames that lie within a second of more bits than may be.
struct PeakSearch {
  /// Bits in any second.
  let limit: Double
  /// Frames in one, rounded up.
  let second: Int

  /// - Parameter ranges: the bits of each frame, in the order of decoding, range after range.
  /// - Returns: for each range, the places of those frames within it.
  func places(in ranges: [[Int]]) -> [Set<Int>] {
    let all = Array(ranges.joined())
    var isOver = [Bool](repeating: false, count: all.count)
    var sum = 0
    for end in all.indices {
      sum += all[end]
      if end >= second { sum -= all[end - second] }
      guard Double(sum) > limit else { continue }
      for place in max(0, end - second + 1)...end { isOver[place] = true }
    }
    var first = 0
    return ranges.map { range in
      defer { first += range.count }
      return Set(range.indices.filter { isOver[first + $0] })
    }
  }
}
