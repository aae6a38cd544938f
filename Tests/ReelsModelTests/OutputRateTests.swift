import ReelsModel
import Testing

/// Which rate the output has, for each kind of source.
@Suite struct OutputRateTests {
  private func output(_ rate: Ratio) -> Ratio {
    Cadence(constantRate: rate, medianInterval: nil).outputRate(minimum: 23, maximum: 60)
  }

  private func output(median: Ratio?) -> Ratio {
    Cadence(constantRate: nil, medianInterval: median.map { MediaTime(seconds: $0) })
      .outputRate(minimum: 23, maximum: 60)
  }

  @Test(arguments: [
    Ratio(23), Ratio(24000, 1001), Ratio(25), Ratio(26777, 1000), Ratio(30000, 1001), Ratio(45),
    Ratio(60000, 1001), Ratio(60),
  ])
  func `a constant rate in 23 to 60 is kept`(rate: Ratio) {
    #expect(output(rate) == rate)
  }

  @Test(arguments: [Ratio(6001, 100), Ratio(121, 2)])
  func `from 60 to 60,5 it is 60`(rate: Ratio) {
    #expect(output(rate) == Ratio(60))
  }

  @Test(arguments: [
    (Ratio(6051, 100), Ratio(6051, 200)), (Ratio(90), Ratio(45)), (Ratio(100), Ratio(50)),
    (Ratio(120), Ratio(60)), (Ratio(120000, 1001), Ratio(60000, 1001)), (Ratio(144), Ratio(48)),
    (Ratio(240), Ratio(60)), (Ratio(240000, 1001), Ratio(60000, 1001)),
    (Ratio(1000), Ratio(1000, 17)),
  ])
  func `a higher one is divided by the smallest integer that gives at most 60`(
    rate: Ratio, expected: Ratio
  ) {
    #expect(output(rate) == expected)
  }

  @Test(arguments: [
    (Ratio(1), Ratio(23)), (Ratio(5), Ratio(25)), (Ratio(8), Ratio(24)), (Ratio(10), Ratio(30)),
    (Ratio(12), Ratio(24)), (Ratio(25, 2), Ratio(25)), (Ratio(15), Ratio(30)),
    (Ratio(15000, 1001), Ratio(30000, 1001)), (Ratio(2299, 100), Ratio(2299, 50)),
  ])
  func `a lower one is multiplied by the smallest integer that gives 23 or more`(
    rate: Ratio, expected: Ratio
  ) {
    #expect(output(rate) == expected)
  }

  @Test(arguments: [
    (Ratio(33, 1000), Ratio(30)), (Ratio(1001, 30000), Ratio(30000, 1001)),
    (Ratio(1, 10), Ratio(24000, 1001)), (Ratio(1, 200), Ratio(60)), (Ratio(21, 1000), Ratio(48)),
    (Ratio(1, 39), Ratio(30)), (Ratio(17, 1000), Ratio(60000, 1001)), (Ratio(1, 27), Ratio(25)),
  ])
  func `a variable rate becomes the standard rate nearest to one over its median interval`(
    median: Ratio, expected: Ratio
  ) {
    // 1/39 is 39 fps: as far from 30 as from 48, where the lower one is taken.
    #expect(output(median: median) == expected)
  }

  @Test func `without any interval it is 30`() {
    #expect(output(median: nil) == Ratio(30))
    #expect(output(median: Ratio(0)) == Ratio(30))
    #expect(output(median: Ratio(-1, 30)) == Ratio(30))
    #expect(output(Ratio(1, 1_000_000_000)) == Ratio(30))
  }
}
