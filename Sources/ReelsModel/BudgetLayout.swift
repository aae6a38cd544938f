/// How the ranges of a video are divided among lanes, and into the units that `BitBudget` decides on.
public struct BudgetLayout: Hashable, Sendable {
  public struct Unit: Hashable, Sendable {
    public var range: Int
    /// The first frame, counted in the output.
    public var first: Int
    public var count: Int
    public var lane: Int
    /// The place within the lane, from 0.
    public var step: Int
  }

  /// In the order of presentation.
  public let units: [Unit]
  /// The ranges that each lane makes, one after another.
  public let lanes: [[Int]]

  /// More lanes would need more memory, each of them an encoder's lookahead; and a lane that waits
  /// for fewer others' results wastes less.
  public static let maximumLanes = 2
  private static let unitsInGOP = 4

  public init(ranges: [VideoPlan.EncodeRange], gopFrames: Int) {
    let laneCount = max(1, min(Self.maximumLanes, ranges.count))
    let size = max(1, gopFrames / Self.unitsInGOP)
    lanes = (0..<laneCount).map { lane in ranges.indices.filter { $0 % laneCount == lane } }
    var steps = [Int](repeating: 0, count: laneCount)
    var units: [Unit] = []
    for (index, range) in ranges.enumerated() {
      let lane = index % laneCount
      for offset in stride(from: 0, to: range.count, by: size) {
        units.append(
          Unit(
            range: index, first: range.first + offset, count: min(size, range.count - offset),
            lane: lane, step: steps[lane]))
        steps[lane] += 1
      }
    }
    self.units = units
  }
}

extension VideoPlan {
  public var budgetLayout: BudgetLayout {
    BudgetLayout(ranges: ranges, gopFrames: encoding.gopFrames)
  }
}
