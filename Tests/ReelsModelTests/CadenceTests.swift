import ReelsModel
import Testing

@Suite struct CadenceTests {
  /// How a container turns exact times into ticks.
  enum Rounding: CaseIterable { case nearest, down }

  static let usualRates: [Ratio] = [
    Ratio(24000, 1001), Ratio(24), Ratio(25), Ratio(30000, 1001), Ratio(30), Ratio(48), Ratio(50),
    Ratio(60000, 1001), Ratio(60), Ratio(15), Ratio(120), Ratio(240), Ratio(1),
  ]

  /// The ticks of `count` frames at a constant rate, the first one `phase` ticks after 0.
  static func ticks(
    _ rate: Ratio, timeBase: Ratio, count: Int, phase: Ratio = Ratio(0),
    rounding: Rounding = .nearest
  ) -> [Int64] {
    (0..<count).map { index in
      let exact = Ratio(Int64(index)) / rate / timeBase + phase
      return rounding == .nearest ? exact.rounded : exact.floor
    }
  }

  @Test(arguments: usualRates, [Ratio(1, 1000), Ratio(1, 90_000), Ratio(1, 600)])
  func `a usual rate is found in a time base that cannot hold it`(
    rate: Ratio, timeBase: Ratio
  ) {
    let count = max(20, Int((rate * Ratio(4)).rounded))
    for rounding in Rounding.allCases {
      for phase in [Ratio(0), Ratio(1, 3), Ratio(7, 10)] {
        let times = Self.ticks(
          rate, timeBase: timeBase, count: count, phase: phase, rounding: rounding)
        let cadence = Cadence(times: times, timeBase: timeBase, statedRate: nil)
        #expect(cadence.constantRate == rate, "\(rounding), phase \(phase)")
      }
    }
  }

  @Test(arguments: usualRates) func `an exact time base gives the exact rate`(rate: Ratio) {
    let times = Self.ticks(rate, timeBase: rate.inverted ?? Ratio(0), count: 5)
    let cadence = Cadence(times: times, timeBase: rate.inverted ?? Ratio(0), statedRate: nil)
    #expect(cadence.constantRate == rate)
    #expect(cadence.medianInterval?.seconds == rate.inverted)
  }

  /// In 1/600 s, 30 and 29.97 are 20 and 20.02 ticks: few frames fit both, and the exact one holds.
  @Test(arguments: [Ratio(24), Ratio(25), Ratio(30), Ratio(50), Ratio(60)])
  func `a short clip with equal intervals has the rate that they say`(rate: Ratio) {
    let times = Self.ticks(rate, timeBase: Ratio(1, 600), count: 40)
    let cadence = Cadence(times: times, timeBase: Ratio(1, 600), statedRate: nil)
    #expect(cadence.constantRate == rate)
  }

  @Test(arguments: [Ratio(26777, 1000), Ratio(27), Ratio(4413, 100), Ratio(100, 7)])
  func `an unusual rate is constant too, whatever its phase`(rate: Ratio) throws {
    var random = SplitMix(seed: 26_777)
    for timeBase in [Ratio(1, 1000), Ratio(1, 600), Ratio(1, 90_000)] {
      for rounding in Rounding.allCases {
        for _ in 0..<12 {
          let phase = Ratio(Int64.random(in: 0..<1000, using: &random), 1000)
          let count = Int.random(in: 60...600, using: &random)
          let times = Self.ticks(
            rate, timeBase: timeBase, count: count, phase: phase, rounding: rounding)
          let found = Cadence(times: times, timeBase: timeBase, statedRate: nil).constantRate
          let value = try #require(
            found, "\(timeBase), \(rounding), phase \(phase), \(count) frames")
          // Over all frames the rate is off by less than half of one.
          let drift = abs(value.doubleValue / rate.doubleValue - 1) * Double(count)
          #expect(drift < 0.1, "\(value)")
        }
      }
    }
  }

  @Test func `a constant rate gives an encoder numbers that it can hold`() throws {
    for timeBase in [Ratio(1, 1000), Ratio(1, 90_000), Ratio(1, 1_000_000_000)] {
      let times = Self.ticks(
        Ratio(26777, 1000), timeBase: timeBase, count: 1_600, phase: Ratio(1, 3))
      let rate = try #require(
        Cadence(times: times, timeBase: timeBase, statedRate: nil).constantRate)
      #expect(rate.num < 1 << 30, "\(rate)")
      #expect(rate.den < 1 << 30, "\(rate)")
    }
  }

  @Test func `the stated rate is believed only where the time stamps lie on its grid`() {
    let timeBase = Ratio(1, 1000)
    let times = Self.ticks(Ratio(25), timeBase: timeBase, count: 100)
    let cadence = Cadence(times: times, timeBase: timeBase, statedRate: Ratio(26))
    #expect(cadence.constantRate == Ratio(25))
    let odd = Self.ticks(Ratio(100_000, 3_737), timeBase: timeBase, count: 100)
    #expect(
      Cadence(times: odd, timeBase: timeBase, statedRate: Ratio(100_000, 3_737)).constantRate
        == Ratio(100_000, 3_737))
  }

  @Test func `the order of time stamps and repeats of one do not matter`() {
    let times = Self.ticks(Ratio(30), timeBase: Ratio(1, 1000), count: 90)
    var random = SplitMix(seed: 1)
    let shuffled = (times + times.prefix(10)).shuffled(using: &random)
    #expect(
      Cadence(times: shuffled, timeBase: Ratio(1, 1000), statedRate: nil).constantRate
        == Ratio(30))
  }

  @Test func `a hole makes the rate variable, and the median stays`() {
    var times = Self.ticks(Ratio(30), timeBase: Ratio(1, 1000), count: 90)
    times.remove(at: 40)
    let cadence = Cadence(times: times, timeBase: Ratio(1, 1000), statedRate: Ratio(30))
    #expect(cadence.constantRate == nil)
    #expect(cadence.medianInterval?.decimals(3) == "0.033")
    #expect(cadence.outputRate(minimum: 23, maximum: 60) == Ratio(30))
  }

  /// A phone's camera: 20 ticks of 1/600 s, now and then a tick or two early or late.
  @Test func `a camera's jitter is variable, near its usual rate`() {
    var random = SplitMix(seed: 600)
    let times = (0..<120).map { Int64($0) * 20 + Int64.random(in: -2...2, using: &random) }
    let cadence = Cadence(times: times, timeBase: Ratio(1, 600), statedRate: Ratio(30000, 1001))
    #expect(cadence.constantRate == nil)
    #expect(cadence.outputRate(minimum: 23, maximum: 60) == Ratio(30))
  }

  @Test func `fewer than two frames have no rhythm`() {
    for times in [[], [7], [7, 7]] as [[Int64]] {
      let cadence = Cadence(times: times, timeBase: Ratio(1, 1000), statedRate: Ratio(25))
      #expect(cadence.constantRate == nil)
      #expect(cadence.medianInterval == nil)
    }
  }

  @Test func `hostile time stamps and time bases give some rate that is allowed`() {
    let bases = [
      Ratio(0), Ratio(-1, 1000), Ratio(.max), Ratio(1, .max), Ratio(.max, .max - 1), Ratio(1, 1000),
    ]
    let lists: [[Int64]] = [
      [.min, .max], [.min, 0, .max], [0, 1], [0, 1, .max], [.max - 1, .max], [.min, .min + 1, 5],
      [0, 40, 80, 1 << 62], [-3, -2, -1],
    ]
    for base in bases {
      for times in lists {
        for stated in [nil, Ratio(0), Ratio(-25), Ratio(.max), Ratio(1, .max)] {
          let rate = Cadence(times: times, timeBase: base, statedRate: stated)
            .outputRate(minimum: 23, maximum: 60)
          #expect((23.0...60.0).contains(rate.doubleValue), "\(times) in \(base), \(rate)")
        }
      }
    }
  }
}
