import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct RateControlTests {
  @Test func `no cap is exceeded, nor the peak in any second`() {
    var random = SeededGenerator(state: 25_000_000)
    for _ in 0..<20_000 {
      let seconds = Double.random(in: 3...900, using: &random)
      let ranges = max(1, Int(seconds / 10) + Int.random(in: -1...2, using: &random))
      let peak = Double.random(in: 2e6...60e6, using: &random)
      let bits = peak * seconds * Double.random(in: 0.01...3, using: &random)
      let vbv = RateControl.vbv(bits: bits, seconds: seconds, ranges: ranges, peak: peak)
      let fill = RateControl.initialFill
      #expect(vbv.rate > 0 && vbv.buffer > 0)
      let most = vbv.rate * seconds + Double(ranges) * fill * vbv.buffer
      #expect(most <= bits * (1 + 1e-9), "\(bits) bits in \(seconds) s, \(ranges) ranges")
      #expect(vbv.rate + (1 + fill) * vbv.buffer <= peak * (1 + 1e-9), "\(peak)")
    }
  }

  @Test func `a cap that binds is used up, and so is a peak`() {
    // 50 MB in a minute: the cap.
    let cap = RateControl.vbv(bits: 392e6, seconds: 60, ranges: 6, peak: 25e6)
    #expect(cap.rate * 60 + 6 * RateControl.initialFill * cap.buffer > 0.999 * 392e6)
    // 50 MB in five seconds: the peak, but for sound and headers.
    let peak = RateControl.vbv(bits: 392e6, seconds: 5, ranges: 2, peak: 25e6)
    #expect(peak.rate + (1 + RateControl.initialFill) * peak.buffer > 0.97 * 25e6)
    // A buffer too small for a key frame would show as one.
    #expect(peak.buffer >= 0.3 * peak.rate)
  }

  @Test func `everything but the video is counted`() throws {
    let plan = try Source().plan()
    let overhead = RateControl.overhead(frames: 1_800, audio: plan.audio)
    // A minute of sound at 128 kbit/s is 960,000 bytes.
    #expect(overhead > 960_000 + 1_800 * 16)
    #expect(overhead < 1_120_000)
  }

  @Test func `plans keep a whole file under its cap`() throws {
    var random = SeededGenerator(state: 50)
    for _ in 0..<500 {
      var source = Source()
      source.seconds = Ratio(Int64.random(in: 3...60, using: &random))
      let cap = ByteCount(Int64.random(in: 1_600_000...50_000_000, using: &random))
      let plan = try source.plan { $0.maxSize = cap }
      let encoding = plan.video.encoding
      let bits =
        Double(encoding.maximumRate.value) * plan.window.duration.doubleValue
        + Double(plan.video.ranges.count) * encoding.initialFill * Double(encoding.bufferBits)
      let overhead = RateControl.overhead(frames: plan.video.frames, audio: plan.audio)
      #expect(bits / 8 + Double(overhead) < Double(cap.value))
      #expect(plan.fileBytesBelow == cap)
    }
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
