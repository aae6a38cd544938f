import Testing

@testable import ReelsPrep

@Suite struct SplitPlanTests {
  @Test(arguments: [
    (1_800, [1_800]), (1_801, [1_711, 90]), (1_850, [1_760, 90]), (1_890, [1_800, 90]),
    (3_600, [1_800, 1_800]), (3_689, [1_800, 1_799, 90]), (60, [60]), (0, []),
  ]) func `parts are as long as may be, and none is too short`(frames: Int, counts: [Int]) {
    #expect(SplitPlan.counts(frames: frames, least: 90, most: 1_800) == counts)
  }

  @Test func `whatever the length, all of it is in the parts`() {
    for frames in stride(from: 90, to: 20_000, by: 37) {
      let counts = SplitPlan.counts(frames: frames, least: 90, most: 1_800)
      #expect(counts.reduce(0, +) == frames)
      #expect(counts.allSatisfy { (90...1_800).contains($0) }, "\(frames): \(counts)")
    }
  }
}
