import ReelsModel
import Testing

@testable import ReelsPrep

/// Levels of ITU-T H.264 table A-1 against answers that are known.
@Suite struct EncodingLevelTests {
  @Test(arguments: [
    (1080, 1920, Ratio(30), 8, 40), (1920, 1080, Ratio(30000, 1001), 20, 40),
    (1080, 1920, Ratio(60), 8, 42), (1920, 1080, Ratio(50), 8, 42),
    (1920, 1080, Ratio(25), 24, 40), (1920, 1080, Ratio(25), 30, 41),
    (1280, 720, Ratio(30), 17, 31), (720, 1280, Ratio(30), 5, 31), (1280, 720, Ratio(30), 20, 32),
    (1280, 720, Ratio(60), 10, 32), (640, 360, Ratio(30), 4, 30), (720, 576, Ratio(25), 8, 30),
    (1080, 1080, Ratio(30), 10, 32), (1920, 1080, Ratio(120), 10, 51),
    (4096, 2304, Ratio(60), 10, 52),
  ])
  func `the lowest level that holds is chosen`(
    width: Int, height: Int, rate: Ratio, megabits: Int64, level: Int
  ) {
    let found = EncodingLevel.lowest(
      size: PixelSize(width: width, height: height), frameRate: rate, dpbFrames: 4,
      rate: BitsPerSecond(megabits * 1_000_000))
    #expect(found.idc == level)
  }

  @Test func `a long and narrow picture needs room for its side`() {
    // 1920x96 has 720 macroblocks, as level 2.1 holds, but 120 columns.
    let found = EncodingLevel.lowest(
      size: PixelSize(width: 1920, height: 96), frameRate: Ratio(25), dpbFrames: 4,
      rate: BitsPerSecond(1_000_000))
    #expect(found.idc == 31)
  }

  @Test func `plans of usual sources have usual levels`() throws {
    var source = Source()
    #expect(try source.plan().video.encoding.level == 40)
    source.rate = Ratio(60)
    #expect(try source.plan().video.encoding.level == 42)
    (source.rate, source.size) = (Ratio(30), PixelSize(width: 720, height: 1280))
    #expect([31, 32].contains(try source.plan().video.encoding.level))
    #expect(
      try source.plan { $0.maxSize = ByteCount(20_000_000) }.video.encoding.level == 31)
  }

  @Test func `GOPs are two seconds`() throws {
    var source = Source()
    let plan = try source.plan().video
    #expect(plan.encoding.gopFrames == 60)
    source.rate = Ratio(60000, 1001)
    #expect(try source.plan().video.encoding.gopFrames == 119)
  }
}
