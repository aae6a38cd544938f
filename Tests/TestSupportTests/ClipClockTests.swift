import ReelsModel
import TestSupport
import Testing

@Suite struct ClipClockTests {
  @Test func `a constant clock counts whole frames`() {
    let clock = ClipClock.constant(Ratio(30000, 1001), seconds: 10)
    #expect(clock.count == 299)
    #expect(clock.time(of: 3).seconds == Ratio(1001, 10000))
    #expect(clock.duration.seconds == Ratio(299 * 1001, 30000))
  }

  @Test func `the frame on show is the last that has begun`() {
    let clock = ClipClock.variable(milliseconds: [0, 100, 500])
    let cases: [(Int64, Int)] = [(-1, 0), (0, 0), (99, 0), (100, 1), (499, 1), (500, 2), (9999, 2)]
    for (milliseconds, frame) in cases {
      let time = MediaTime(ticks: milliseconds, timeBase: Ratio(1, 1000))
      #expect(clock.frame(at: time) == frame)
    }
    #expect(clock.frame(nearest: MediaTime(seconds: Ratio(299, 1000))) == 1)
    #expect(clock.frame(nearest: MediaTime(seconds: Ratio(301, 1000))) == 2)
    #expect(clock.duration.seconds == Ratio(9, 10))
  }
}
