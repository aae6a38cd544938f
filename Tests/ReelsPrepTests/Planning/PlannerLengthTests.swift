import ReelsModel
import Testing

@testable import ReelsPrep

/// How many frames and samples a plan has.
@Suite struct PlannerLengthTests {
  private static let rates: [Ratio] = [
    Ratio(23), Ratio(24000, 1001), Ratio(24), Ratio(25), Ratio(26777, 1000), Ratio(30000, 1001),
    Ratio(30), Ratio(48), Ratio(50), Ratio(60000, 1001), Ratio(60),
  ]

  @Test(arguments: [
    (Ratio(24000, 1001), [72, 239, 1438]), (Ratio(24), [72, 240, 1440]),
    (Ratio(25), [75, 250, 1500]), (Ratio(30000, 1001), [90, 299, 1798]),
    (Ratio(30), [90, 300, 1800]), (Ratio(50), [150, 500, 3000]),
    (Ratio(60000, 1001), [180, 599, 3596]), (Ratio(60), [180, 600, 3600]),
  ])
  func `3, 10 and 60 seconds have these many frames`(rate: Ratio, frames: [Int]) throws {
    var source = Source()
    source.rate = rate
    for (seconds, expected) in zip([3, 10, 60] as [Int64], frames) {
      let plan = try source.plan { $0.duration = MediaTime(seconds: seconds) }
      #expect(plan.video.frameRate == rate)
      #expect(plan.video.frames == expected, "\(seconds) s")
      #expect(plan.window.duration.seconds == Ratio(Int64(expected)) / rate)
    }
    // Without being asked for, it is as long as may be.
    #expect(try source.plan().video.frames == frames[2])
  }

  @Test func `no plan is under 3,000 s or above 60,000 s, nor one frame longer than it needs`()
    throws
  {
    var random = SeededGenerator(state: 3_060)
    for _ in 0..<3_000 {
      var source = Source()
      source.rate = Self.rates.randomElement(using: &random)
      source.seconds = Ratio(Int64.random(in: 3_100...80_000, using: &random), 1_000)
      let rate = source.rate ?? Ratio(30)
      // A constant source has whole frames.
      source.seconds = Ratio((source.seconds * rate).floor) / rate
      let asked =
        Bool.random(using: &random)
        ? MediaTime(
          ticks: Int64.random(in: 3_000...60_000, using: &random), timeBase: Ratio(1, 1000))
        : nil
      let plan = try source.plan { $0.duration = asked }
      let seconds = plan.window.duration.seconds
      #expect(seconds >= Ratio(3) && seconds <= Ratio(60), "\(seconds) of \(source.seconds)")
      let wanted = min(asked?.seconds ?? Ratio(60), source.seconds)
      let whole = Int((wanted * rate).floor)
      let isShort = Ratio(Int64(whole)) / rate < Ratio(3)
      #expect(plan.video.frames == whole + (isShort ? 1 : 0))
      #expect(plan.video.ranges.reduce(0) { $0 + $1.count } == plan.video.frames)
      // Sound and picture end within a millisecond, and neither after 60 s.
      let sound = Ratio(plan.audio.samples) / Ratio(Int64(plan.audio.sampleRate))
      #expect(sound <= seconds && seconds - sound < Ratio(1, 1000))
    }
  }

  @Test func `another rate fits as many frames as the source lasts`() throws {
    var source = Source()
    (source.rate, source.seconds) = (Ratio(15), Ratio(10))
    let plan = try source.plan()
    #expect(plan.video.frameRate == Ratio(30))
    #expect(plan.video.frames == 300)
    #expect(plan.video.sourceFrames == 300)
    (source.rate, source.medianInterval, source.seconds) = (
      nil, Ratio(33, 1000), Ratio(10_010, 1000)
    )
    #expect(try source.plan().video.frames == 300)
  }

  @Test func `a rate of the user's choice is used, within the preset's`() throws {
    let source = Source()
    #expect(try source.plan { $0.frameRate = Ratio(25) }.video.frames == 1500)
    for rate in [Ratio(22), Ratio(61)] {
      let error = #expect(throws: PrepError.self) { try source.plan { $0.frameRate = rate } }
      #expect(error?.code == .badOption)
      #expect(error?.sentence.contains("23–60") == true)
      #expect(error?.sentence.contains("--fps \(rate)") == true)
    }
  }

  @Test func `a source that is too short is refused with the way out`() throws {
    var source = Source()
    source.seconds = Ratio(18, 10)
    let error = #expect(throws: PrepError.self) { try source.plan() }
    #expect(error?.code == .tooShort)
    #expect(error?.blame == .input)
    let sentence = error?.sentence ?? ""
    #expect(sentence.hasPrefix("clip.mov lasts 1.800 s, "))
    #expect(sentence.hasSuffix(" needs 3 s or more; use --short loop or --short hold"))
  }

  @Test func `what is left behind the start may be too short as well`() throws {
    var source = Source()
    (source.start, source.seconds) = (Ratio(8), Ratio(2))
    let error = #expect(throws: PrepError.self) {
      try source.plan { $0.start = MediaTime(seconds: 8) }
    }
    #expect(error?.code == .tooShort)
    #expect(error?.sentence.contains("has 2.000 s from 8.000 s on") == true)
    #expect(error?.sentence.contains("start earlier, or use --short loop") == true)
  }

  @Test(arguments: [ShortPolicy.loop, .hold])
  func `a short source is lengthened to the least that is allowed`(policy: ShortPolicy) throws {
    var source = Source()
    (source.rate, source.seconds) = (Ratio(30), Ratio(15, 10))
    var plan = try source.plan { $0.short = policy }
    #expect(plan.video.frames == 90)
    #expect(plan.video.sourceFrames == 45)
    #expect(plan.video.short == policy)
    #expect(plan.window.duration == MediaTime(seconds: 3))
    source.rate = Ratio(24000, 1001)
    source.seconds = Ratio(1001, 1000)
    plan = try source.plan { $0.short = policy }
    #expect(plan.video.frames == 72)
    #expect(plan.video.sourceFrames == 24)
    #expect(plan.window.duration >= MediaTime(seconds: 3))
  }

  @Test(arguments: [ShortPolicy.loop, .hold])
  func `a long source is neither looped nor held`(policy: ShortPolicy) throws {
    let plan = try Source().plan { $0.short = policy }
    #expect(plan.video.frames == 1800)
    #expect(plan.video.sourceFrames == 1800)
    #expect(plan.video.short == .hold)
  }

  @Test(arguments: [ShortPolicy.loop, .hold])
  func `a short part of a long source is lengthened too`(policy: ShortPolicy) throws {
    let plan = try Source().plan {
      $0.short = policy
      $0.duration = MediaTime(seconds: Ratio(3, 2))
    }
    #expect(plan.video.frames == 90)
    #expect(plan.video.sourceFrames == 45)
    #expect(plan.video.short == policy)
    // The last source frame is the last of the part.
    #expect(plan.video.last == plan.video.start + MediaTime(seconds: Ratio(44, 30)))
  }

  @Test func `a window outside of the limits is refused with numbers`() throws {
    let source = Source()
    for (duration, text) in [
      (MediaTime(seconds: 61), "asks for 61.000 s"), (MediaTime(seconds: 2), "asks for 2.000 s"),
      (.zero, "asks for 0.000 s"),
    ] {
      let error = #expect(throws: PrepError.self) { try source.plan { $0.duration = duration } }
      #expect(error?.code == .badWindow)
      #expect(error?.sentence.contains(text) == true, "\(error?.sentence ?? "-")")
    }
    let backwards = #expect(throws: PrepError.self) {
      try source.plan {
        $0.start = MediaTime(seconds: 9)
        $0.end = MediaTime(seconds: 8)
        $0.short = .loop
      }
    }
    #expect(backwards?.code == .badWindow)
    #expect(backwards?.sentence.contains("--end 8.000 after --start 9.000") == true)
  }

  @Test func `the upload preset takes fifteen minutes`() throws {
    var source = Source()
    source.seconds = Ratio(1_000)
    let plan = try source.plan(preset: "graph-reel")
    #expect(plan.video.frames == 27_000)
    #expect(plan.fileBytesBelow == ByteCount(300_000_000))
  }

  @Test func `the window says what was asked and what is`() throws {
    var source = Source()
    source.start = Ratio(99, 10)
    let plan = try source.plan {
      $0.start = MediaTime(seconds: 10)
      $0.duration = MediaTime(seconds: 5)
    }
    #expect(plan.window.requestedStart == MediaTime(seconds: 10))
    #expect(plan.window.start == MediaTime(seconds: Ratio(99, 10)))
    #expect(plan.video.origin == MediaTime(seconds: Ratio(7, 5)))
    #expect(plan.video.start == MediaTime(seconds: Ratio(113, 10)))
  }

  @Test func `a cover beyond the clip is refused`() throws {
    let source = Source()
    let time = MediaTime(seconds: 5)
    #expect(
      try source.plan {
        $0.duration = MediaTime(seconds: 6)
        $0.cover = .time(time)
      }.cover == .time(time))
    let error = #expect(throws: PrepError.self) {
      try source.plan {
        $0.duration = MediaTime(seconds: 5)
        $0.cover = .time(time)
      }
    }
    #expect(error?.code == .badOption)
  }

  @Test func `a picture that ends before its header says is told of`() throws {
    var source = Source()
    (source.seconds, source.claimed) = (Ratio(8), Ratio(20))
    #expect(try source.plan().warnings.contains { $0.code == "ends-early" })
    source.claimed = Ratio(17, 2)
    #expect(try source.plan().warnings == [])
    // Beyond the window nobody has looked.
    (source.seconds, source.claimed) = (Ratio(90), Ratio(120))
    #expect(try source.plan().warnings == [])
  }
}
