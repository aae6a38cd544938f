/// The median of some figures, with the lowest and the highest.
struct Spread: Hashable, Sendable {
  let median: Double
  let min: Double
  let max: Double

  /// - Returns: nil where there are no figures.
  init?(_ figures: [Double]) {
    let sorted = figures.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    min = first
    max = last
  }

  /// The ratios of figures taken in the same rounds: `a` over `b`.
  init?(_ a: [Double], over b: [Double]) {
    self.init(zip(a, b).compactMap { $1 > 0 ? $0 / $1 : nil })
  }

  var json: JSONValue {
    ["median": .rounded(median), "min": .rounded(min), "max": .rounded(max)]
  }
}
