import Foundation
import ReelsModel
import Testing

@Suite struct RatioTests {
  private let extremes: [Int64] = [
    .min, .min + 1, -(1 << 62), -1_000_000_007, -1, 0, 1, 2, 1001, 1 << 62, .max - 1, .max,
  ]

  private var ratios: [Ratio] {
    extremes.flatMap { num in extremes.compactMap { den in Ratio(num, over: den) } }
  }

  @Test func `a ratio is reduced and its denominator positive`() {
    #expect(Ratio(6, over: -4).map { [$0.num, $0.den] } == [-3, 2])
    #expect(Ratio(0, over: -7) == Ratio(0))
    #expect(Ratio(1, over: 0) == nil && Ratio(0, over: 0) == nil)
    #expect(Ratio(.min, over: .min) == Ratio(1))
    #expect(Ratio(.min, over: 2) == Ratio(-(1 << 62)))
    #expect(Ratio(.min, over: 1) == nil && Ratio(1, over: .min) == nil)
  }

  @Test func `no arithmetic on extremes traps, and every result keeps the invariants`() {
    for a in ratios {
      var results = [-a, Ratio(a.floor), Ratio(a.ceiling), Ratio(a.rounded)]
      if let inverse = a.inverted { results.append(inverse) }
      for b in ratios { results += [a + b, a - b, a * b, a / b] }
      #expect(results.allSatisfy { $0.den > 0 && $0.num >= -.max })
    }
  }

  @Test func `what fits is exact, what does not is clamped`() {
    #expect(Ratio(1, 3) + Ratio(1, 6) == Ratio(1, 2))
    #expect(Ratio(1, 3) - Ratio(1, 2) == Ratio(-1, 6))
    #expect(Ratio(30000, 1001) * Ratio(1001, 30000) == Ratio(1))
    #expect(Ratio(30000, 1001) / Ratio(2) == Ratio(15000, 1001))
    #expect(Ratio(5) / Ratio(0) == Ratio(0))
    #expect(Ratio(.max) * Ratio(.max) == Ratio(.max))
    #expect(Ratio(.max) * Ratio(-.max) == Ratio(-.max))
    #expect(Ratio(.max) + Ratio(.max) == Ratio(.max))
    // Cross-reduction: no intermediate product is too large.
    #expect(Ratio(.max) * Ratio(1, .max) == Ratio(1))
  }

  @Test func `an overflowing product is the nearest billionth`() throws {
    let third = try #require(Ratio(3_333_333_333_333_333_333, over: 9_223_372_036_854_775_807))
    let product = third * Ratio(1_000_003, 1_000_033)
    let expected = third.doubleValue * 1_000_003 / 1_000_033
    #expect(abs(product.doubleValue - expected) <= 1e-9)
  }

  @Test(arguments: [
    (-7, 2, -4, -3, -3), (7, 2, 3, 4, 4), (-1, 3, -1, 0, 0), (1, 3, 0, 1, 0), (-2, 3, -1, 0, -1),
    (-5, 1, -5, -5, -5), (0, 1, 0, 0, 0), (1, 2, 0, 1, 1), (-1, 2, -1, 0, 0),
  ])
  func `floor, ceiling and rounded`(
    num: Int64, den: Int64, floor: Int64, ceiling: Int64, near: Int64
  ) {
    let ratio = Ratio(num, den)
    #expect(ratio.floor == floor && ratio.ceiling == ceiling && ratio.rounded == near)
  }

  @Test func `rounding is right where adding a half does not fit`() {
    for whole in [Int64.max, .max - 1, -.max, 1 << 62, -(1 << 62) - 1] {
      #expect(Ratio(whole).rounded == whole)
    }
    let large = Ratio(.max, 2)
    #expect(large.rounded == 1 << 62)
    #expect(Ratio(.max, 3).rounded == .max / 3)
    #expect(Ratio(-.max, 2).rounded == -(1 << 62) + 1)
  }

  @Test func `comparison is exact where doubles are equal`() {
    let (a, b) = (Ratio(.max - 1, .max), Ratio(.max - 2, .max))
    #expect(a.doubleValue == b.doubleValue)
    #expect(b < a && !(a < b) && !(a < a))
    #expect(Ratio(-.max) < Ratio(-1, .max))
    #expect(Ratio(-1, .max) < Ratio(0) && Ratio(0) < Ratio(1, .max))
    #expect(Ratio(-1, 2) < Ratio(-1, 3))
    let sorted = ratios.sorted()
    for (low, high) in zip(sorted, sorted.dropFirst()) {
      #expect(low.doubleValue <= high.doubleValue)
    }
  }

  @Test func `doubles that are no number, or too large, are clamped`() {
    #expect(Ratio(approximating: .nan) == Ratio(0))
    #expect(Ratio(approximating: .infinity) == Ratio(.max))
    #expect(Ratio(approximating: -.infinity) == Ratio(-.max))
    #expect(Ratio(approximating: 1e300) == Ratio(.max))
    #expect(Ratio(approximating: 0.5) == Ratio(1, 2))
    #expect(Ratio(approximating: -1e-12) == Ratio(0))
    // More than 9.2 billion, where billionths do not fit.
    #expect(Ratio(approximating: 1e12).doubleValue == 1e12)
  }

  @Test func `JSON keeps the fraction and refuses a zero denominator`() throws {
    let data = try JSONEncoder().encode(Ratio(30000, 1001))
    #expect(try JSONDecoder().decode(Ratio.self, from: data) == Ratio(30000, 1001))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Ratio.self, from: Data(#"{"num":1,"den":0}"#.utf8))
    }
    #expect(Ratio(30000, 1001).description == "30000/1001" && Ratio(30).description == "30")
  }
}
