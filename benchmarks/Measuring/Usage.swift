/// What a process took, its own children included.
struct Usage: Hashable, Sendable {
  /// User and system time, in seconds.
  var cpuSeconds: Double
  /// On the clock, in seconds.
  var wallSeconds: Double
  /// The resident memory of its largest process, in bytes.
  var peakBytes: Int64
  /// The resident memory of all of its processes together, where that was watched, in bytes.
  var peakTreeBytes: Int64?

  static let none = Usage(cpuSeconds: 0, wallSeconds: 0, peakBytes: 0, peakTreeBytes: nil)

  /// One process after the other.
  static func + (a: Usage, b: Usage) -> Usage {
    let trees = [a.peakTreeBytes, b.peakTreeBytes].compactMap(\.self)
    return Usage(
      cpuSeconds: a.cpuSeconds + b.cpuSeconds, wallSeconds: a.wallSeconds + b.wallSeconds,
      peakBytes: max(a.peakBytes, b.peakBytes), peakTreeBytes: trees.max())
  }
}
