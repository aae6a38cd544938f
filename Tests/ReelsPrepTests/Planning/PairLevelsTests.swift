import ReelsModel
import ReelsPipeline
import Testing

@testable import ReelsPrep

@Suite struct PairLevelsTests {
  private static func sample(
    _ place: Int, large: (Int, Int), small: (Int, Int), coarse: (Int, Int)? = nil
  ) -> PairLevels.Sample {
    PairLevels.Sample(
      place: place, large: PairProbe.Frames(intra: large.0, inter: large.1),
      small: PairProbe.Frames(intra: small.0, inter: small.1),
      coarse: coarse.map { PairProbe.Frames(intra: $0.0, inter: $0.1) })
  }

  @Test func `a frame like the pair's takes about what the pair's takes`() {
    let levels = PairLevels(
      [Self.sample(100, large: (60_000, 6_000), small: (5_000, 500))], reach: 50)
    #expect((0.7...1).contains(levels.intra(5_000, at: 100) / 60_000))
    #expect((0.8...1.1).contains(levels.inter(500, at: 100) / 6_000))
  }

  @Test func `each place is foreseen by the pairs near it`() {
    let levels = PairLevels(
      [
        Self.sample(0, large: (20_000, 1_000), small: (4_000, 100)),
        Self.sample(1_000, large: (200_000, 40_000), small: (8_000, 3_000)),
      ], reach: 50)
    #expect(levels.intra(8_000, at: 1_000) > 1.5 * levels.intra(8_000, at: 0))
    #expect(levels.inter(500, at: 1_000) > levels.inter(500, at: 0))
  }

  @Test func `more in the small picture is more in the large one`() {
    let levels = PairLevels(
      [Self.sample(0, large: (60_000, 6_000), small: (5_000, 500))], reach: 50)
    let bytes = [0, 12, 100, 500, 2_000, 50_000].map { levels.inter(Double($0), at: 10) }
    #expect(bytes == bytes.sorted() && bytes.allSatisfy { $0.isFinite && $0 > 0 })
  }

  @Test func `the slope is the pairs', as far as they are believed`() {
    func halving(_ share: Double) -> Double {
      let coarse = (Int(60_000 * share), Int(6_000 * share))
      return PairLevels(
        [Self.sample(0, large: (60_000, 6_000), small: (5_000, 500), coarse: coarse)], reach: 50
      ).halving
    }
    // A half in 8 steps, in 4, in 2; and what does not occur.
    #expect((7...8).contains(halving(0.5)))
    #expect((4...4.5).contains(halving(0.25)))
    #expect((2...2.5).contains(halving(0.0625)))
    #expect((7...8).contains(halving(1.2)))
    #expect((2...2.5).contains(halving(0.000_1)))
  }

  @Test func `without pairs there are the usual values`() {
    let levels = PairLevels([], reach: 50)
    #expect(levels.halving == BitBudget.usualHalving)
    #expect(levels.inter(100, at: 0) == 1_200 && levels.intra(100, at: 0) == 1_200)
  }
}
