/// A time for which the source had frames that its container lost.
public struct LostSpan: Hashable, Sendable, Codable {
  /// When the last frame before is shown, and the first after, in the file's own time.
  public var start: MediaTime
  public var end: MediaTime

  public init(start: MediaTime, end: MediaTime) {
    self.start = start
    self.end = end
  }
}

/// A packet of the video as it lies in its file.
package struct PacketPlace: Hashable, Sendable {
  /// When it is shown, in ticks.
  package var time: Int64
  /// Bytes from the file's start.
  package var position: Int64
  package var bytes: Int64

  package init(time: Int64, position: Int64, bytes: Int64) {
    self.time = time
    self.position = position
    self.bytes = bytes
  }
}

extension LostSpan {
  /// Gaps between packets that hold about as many bytes of the file as pictures would have taken: a picture
  /// that stands still leaves no hole in the file.
  ///
  /// - Parameters:
  ///   - places: in the file's order; the file lies in the order of time.
  ///   - gap: ticks from which on a distance between two frames is one.
  package static func spans(_ places: [PacketPlace], gap: Int64, timeBase: Ratio) -> [LostSpan] {
    // In floating point: what a hostile file says may be any 64 bits.
    let tick = timeBase.doubleValue
    let pairs = zip(places, places.dropFirst()).filter { $1.time > $0.time }
    let seconds = { (one: PacketPlace, two: PacketPlace) in
      (Double(two.time) - Double(one.time)) * tick
    }
    let isGap = { (pair: (PacketPlace, PacketPlace)) in
      seconds(pair.0, pair.1) >= Double(gap) * tick
    }
    let whole = pairs.filter { !isGap($0) }
    let time = whole.reduce(0.0) { $0 + seconds($1.0, $1.1) }
    guard time > 0 else { return [] }
    let video = whole.reduce(0.0) { $0 + Double($1.0.bytes) } / time
    let all = whole.reduce(0.0) { $0 + max(0, distance($1.0, $1.1)) } / time
    return pairs.filter(isGap).compactMap { one, two in
      let length = seconds(one, two)
      // Sound goes on, and takes its bytes.
      let hole = distance(one, two) - Double(one.bytes) - max(0, all - video) * length
      guard hole > video * length * leastShare else { return nil }
      return LostSpan(
        start: MediaTime(ticks: one.time, timeBase: timeBase),
        end: MediaTime(ticks: two.time, timeBase: timeBase))
    }
  }

  private static func distance(_ one: PacketPlace, _ two: PacketPlace) -> Double {
    Double(two.position) - Double(one.position)
  }

  /// A calm scene takes less than the mean, a hole of whole clusters about as much.
  private static let leastShare = 0.3
}
