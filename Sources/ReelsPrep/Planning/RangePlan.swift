internal import ReelsModel

/// Divides the output into ranges that are encoded side by side.
///
/// The ranges follow from the plan alone, never from the machine: the same bytes come from one core
/// and from many.
struct RangePlan {
  let frames: Int
  let gopFrames: Int
  /// The time of the first frame, in the file's own time.
  let start: MediaTime
  let rate: Ratio
  let entries: [EntryPoint]

  /// Half a minute, so that the usual video has two: each begins with what has to be decoded since the
  /// source's key frame before it, up to ten seconds and more.
  private static let gopsInRange = 15

  /// An even number of ranges of whole GOPs, as alike as they can be.
  ///
  /// - Parameter isWhole: one range, for a short source that is played again and again.
  func ranges(isWhole: Bool) -> [VideoPlan.EncodeRange] {
    let gops = (frames + gopFrames - 1) / gopFrames
    let pairs = (gops + 2 * Self.gopsInRange - 1) / (2 * Self.gopsInRange)
    let count = isWhole || gops < 2 ? 1 : min(gops, 2 * pairs)
    let clock = FrameClock(start: start, rate: rate, places: 0..<frames)
    return (0..<count).compactMap { index in
      let first = gops * index / count * gopFrames
      let end = min(frames, gops * (index + 1) / count * gopFrames)
      // The last key frame that is shown no later than the range's first frame.
      let entry = entries.last { clock.place(of: $0.pts) <= first } ?? entries.first
      return entry.map { VideoPlan.EncodeRange(first: first, count: end - first, entry: $0) }
    }
  }
}
