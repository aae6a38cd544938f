/// What the time stamps of a file's packets mean.
public struct SourceClock: Hashable, Sendable, Codable {
  public var order: StampOrder
  /// Where the clock begins anew, by stream, in the file's order.
  public var restarts: [Int: [ClockRestart]]

  public init(order: StampOrder = .presentation, restarts: [Int: [ClockRestart]] = [:]) {
    self.order = order
    self.restarts = restarts
  }
}
