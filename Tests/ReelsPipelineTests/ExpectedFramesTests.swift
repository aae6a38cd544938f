import ReelsModel
import Testing

@testable import ReelsPipeline

@Suite struct ExpectedFramesTests {
  @Test func `frames that do not come are told with the next that does`() {
    var frames = ExpectedFrames(order: .presentation)
    // I0 P3 B1 B2 P6 B4 B5, of which 1, 4 and 5 are lost.
    for (pts, dts) in [(0, -1), (3, 0), (1, 1), (2, 2), (6, 3), (4, 4), (5, 5)] as [(Int64, Int64)]
    {
      frames.sent(pts, decoded: dts)
    }
    #expect(frames.arrived(0) == [])
    #expect(frames.arrived(2) == [1])
    #expect(frames.arrived(3) == [])
    #expect(frames.arrived(6) == [4, 5])
    #expect(frames.hasReordered)
  }

  @Test func `pictures that lead up to the first one are not missed`() {
    var frames = ExpectedFrames(order: .presentation)
    for pts in [10, 8, 9, 11] as [Int64] { frames.sent(pts, decoded: nil) }
    #expect(frames.arrived(10) == [])
    #expect(frames.arrived(11) == [])
  }

  @Test func `times of decoding are given to the pictures in the order in which they come`() {
    var frames = ExpectedFrames(order: .decoding)
    for dts in [0, 1, 2, 3] as [Int64] { frames.sent(dts, decoded: dts) }
    #expect(!frames.hasReordered)
    let shown = ([0, 2, 3, 1] as [Int64]).map { stamp -> Int64? in
      _ = frames.arrived(stamp)
      return frames.last
    }
    #expect(shown == [0, 1, 2, 3])
  }
}
