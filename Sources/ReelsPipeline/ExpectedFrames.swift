internal import ReelsModel

/// The frames that the packets sent to a decoder should give, by their time stamps.
struct ExpectedFrames {
  let order: StampOrder
  /// Of packets whose frames have not come, sorted.
  private var pending: [Int64] = []
  private var hasBegun = false
  /// The first time stamp of a packet that came before the first frame.
  private(set) var beforeFirst: Int64?
  private(set) var hasStamps = false
  /// Whether some packet is shown at another time than it is decoded.
  private(set) var hasReordered = false
  /// The time stamp of the frame that came last.
  private(set) var last: Int64?

  /// Five minutes at 60 frames a second: what is lost for longer is counted from there.
  private static let most = 20_000

  init(order: StampOrder) { self.order = order }

  mutating func sent(_ stamp: Int64?, decoded: Int64?) {
    guard let stamp else { return }
    hasStamps = true
    if stamp != decoded { hasReordered = true }
    let place = pending.lastIndex { $0 <= stamp }.map { $0 + 1 } ?? 0
    pending.insert(stamp, at: place)
    if pending.count > Self.most { pending.removeFirst() }
  }

  /// - Parameters:
  ///   - stamp: the frame's own; nil where the decoder does not know it.
  ///   - delay: how many pictures the decoder may hold back.
  /// - Returns: the time stamps before it whose frames have not come. What comes before the first frame
  ///   leads up to it, and is not missed.
  mutating func arrived(_ stamp: Int64?, delay: Int = .max) -> [Int64] {
    if order != .presentation {
      // More than the decoder holds back: these gave no picture. Fields give one for two packets.
      let lost = pending.prefix(max(0, pending.count - 1 - min(delay, pending.count)))
      pending.removeFirst(lost.count)
      last = pending.isEmpty ? nil : pending.removeFirst()
      return order == .missing ? [] : Array(lost)
    }
    guard let stamp else { return [] }
    let end = pending.firstIndex { $0 > stamp } ?? pending.count
    if !hasBegun { beforeFirst = pending.first { $0 < stamp } }
    let missing = hasBegun ? pending[..<end].filter { $0 < stamp } : []
    pending.removeSubrange(..<end)
    hasBegun = true
    return missing
  }
}
