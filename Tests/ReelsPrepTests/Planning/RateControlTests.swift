import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct RateControlTests {
  @Test func `no second exceeds the peak, whatever the size`() {
    var random = SeededGenerator(state: 25_000_000)
    for _ in 0..<20_000 {
      let peak = Double.random(in: 2e6...60e6, using: &random)
      let size = PixelSize(
        width: Int.random(in: 16...1920, using: &random),
        height: Int.random(in: 16...1920, using: &random))
      let vbv = RateControl.vbv(size: size, peak: peak)
      #expect(vbv.rate > 0 && vbv.buffer > 0)
      #expect(vbv.rate + (1 + RateControl.initialFill) * vbv.buffer <= peak * (1 + 1e-9))
    }
  }

  @Test func `a large picture may use the peak`() {
    // All but sound and headers.
    let peak = RateControl.vbv(size: PixelSize(width: 1080, height: 1920), peak: 25e6)
    #expect(peak.rate + (1 + RateControl.initialFill) * peak.buffer > 0.97 * 25e6)
    // A buffer too small for a key frame would show as one.
    #expect(peak.buffer >= 0.3 * peak.rate)
  }

  @Test func `everything but the video is counted`() throws {
    let plan = try Source().plan()
    let overhead = RateControl.overhead(frames: 1_800, rate: Ratio(30), audio: plan.audio)
    // A minute of sound at 128 kbit/s is 960,000 bytes.
    #expect(overhead > 960_000 + 1_800 * 12)
    #expect(overhead < 1_030_000)
  }

  @Test(arguments: [3, 10, 60] as [Int64])
  func `a cap in which nothing is left of the picture is refused with one that does`(
    seconds: Int64
  ) throws {
    var source = Source()
    source.seconds = Ratio(seconds)
    let error = #expect(throws: PrepError.self) {
      try source.plan { $0.maxSize = ByteCount(50_000) }
    }
    #expect(error?.code == .badOption)
    #expect(error?.sentence.contains("50 kB is too small for \(seconds).000 s") == true)
    // What the sentence advises is enough.
    let text = error?.sentence ?? ""
    let advised = try #require(
      text.firstRange(of: "at least ").map { text[$0.upperBound...].prefix { $0 != "o" } })
    let size = try #require(ByteCount(parsing: advised.trimmingSuffix { $0 == " " }))
    #expect(throws: Never.self) { try source.plan { $0.maxSize = size } }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while isOut: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, isOut(last) { text.removeLast() }
    return String(text)
  }
}
