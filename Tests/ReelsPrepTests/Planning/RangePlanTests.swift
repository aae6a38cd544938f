import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct RangePlanTests {
  private func ranges(
    frames: Int, gop: Int, entrySeconds: Double = 1, isWhole: Bool = false
  ) -> [VideoPlan.EncodeRange] {
    let rate = Ratio(30)
    let seconds = Double(frames) / 30
    let entries = stride(from: 0, to: max(seconds, 0.1), by: entrySeconds).map {
      let time = MediaTime(seconds: Ratio(approximating: $0))
      return EntryPoint(pts: time, dts: time)
    }
    return RangePlan(frames: frames, gopFrames: gop, start: .zero, rate: rate, entries: entries)
      .ranges(isWhole: isWhole)
  }

  @Test func `ranges follow each other, begin with a GOP and have an entry before them`() {
    for frames in [1, 59, 60, 61, 90, 119, 120, 299, 600, 601, 1_199, 1_798, 1_800, 27_000] {
      for gop in [46, 59, 60, 120] {
        for spacing in [0.5, 1, 7.3, 1_000] {
          let ranges = ranges(frames: frames, gop: gop, entrySeconds: spacing)
          var next = 0
          for range in ranges {
            #expect(range.first == next && range.count > 0)
            #expect(range.first % gop == 0)
            let place = (range.entry.pts.seconds * Ratio(30)).rounded
            #expect(place <= Int64(range.first))
            // No later entry would have done.
            #expect(Double(range.first) / 30 - range.entry.pts.doubleValue < spacing + 0.02)
            next += range.count
          }
          #expect(next == frames, "\(frames) frames, GOPs of \(gop)")
        }
      }
    }
  }

  @Test func `a minute is made in two ranges, more in an even number of them`() {
    #expect(ranges(frames: 1_800, gop: 60).map(\.count) == [900, 900])
    #expect(ranges(frames: 2_700, gop: 60).map(\.count) == [660, 660, 660, 720])
  }

  @Test func `a short clip and a loop are one range`() {
    #expect(ranges(frames: 60, gop: 60).count == 1)
    #expect(ranges(frames: 1_800, gop: 60, isWhole: true).map(\.count) == [1_800])
  }
}
