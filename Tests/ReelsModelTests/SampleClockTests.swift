import ReelsModel
import Testing

@Suite struct SampleClockTests {
  private static let rate = 48_000
  private static let run = 1_024

  /// Pushes runs and returns what came of each: the position of its first kept sample against the
  /// one that its time stamp asked for.
  private struct Track {
    var clock = SampleClock(sampleRate: SampleClockTests.rate)
    var position: Int64 = 0

    mutating func push(_ start: Int64?, _ count: Int = SampleClockTests.run) -> SampleClock.Action {
      let action = clock.push(start: start, count: count)
      position += Int64(action.silence) + Int64(count - action.skip)
      return action
    }
  }

  @Test func `runs that follow each other are left alone`() {
    var track = Track()
    for index in 0..<100 {
      let action = track.push(Int64(index * Self.run))
      #expect(action == .init(silence: 0, skip: 0))
    }
  }

  @Test func `runs without a time stamp follow the one before`() {
    var track = Track()
    _ = track.push(480)
    #expect(track.push(nil) == .init(silence: 0, skip: 0))
    #expect(track.position == 480 + 2 * 1_024)
  }

  @Test func `sound that starts late has silence before it`() {
    var track = Track()
    #expect(track.push(7) == .init(silence: 7, skip: 0))
    #expect(track.push(7 + 1_024) == .init(silence: 0, skip: 0))
  }

  @Test func `sound before the origin is cut to the sample`() {
    for start in [-1, -500, -1_023, -1_024, -1_025, -1_800, -4_900, -5_000, -12_000] as [Int64] {
      var track = Track()
      var first: Int64?
      for index in 0..<20 {
        let time = start + Int64(index * Self.run)
        let action = track.push(time)
        #expect(action.silence == 0, "from \(start)")
        if first == nil, action.skip < Self.run { first = time + Int64(action.skip) }
      }
      #expect(first == 0, "from \(start)")
      #expect(track.position == start + Int64(20 * Self.run))
    }
  }

  @Test func `a hole is filled with exactly its length`() {
    var track = Track()
    _ = track.push(0)
    #expect(track.push(1_024 + 24_000) == .init(silence: 24_000, skip: 0))
    #expect(track.push(2 * 1_024 + 24_000) == .init(silence: 0, skip: 0))
  }

  /// 2,200 is two runs and less than a jump.
  @Test(arguments: [3_000, 2_200]) func `an overlap is cut, over several runs where it is long`(
    length: Int
  ) {
    var track = Track()
    for index in 0..<10 { _ = track.push(Int64(index * Self.run)) }
    var skipped = 0
    for index in 0..<10 {
      // The stream goes back.
      skipped += track.push(Int64((10 + index) * Self.run - length)).skip
    }
    #expect(skipped == length)
  }

  @Test func `time stamps in whole milliseconds are no reason to change anything`() {
    var track = Track()
    for index in 0..<2_000 {
      let exact = Ratio(Int64(index * Self.run), Int64(Self.rate))
      let milliseconds = (exact * Ratio(1000)).rounded
      let action = track.push(milliseconds * Int64(Self.rate) / 1000)
      #expect(action == .init(silence: 0, skip: 0), "run \(index)")
    }
  }

  @Test(arguments: [480, -480, 60, -60], [640, 960, 1_024, 4_096])
  func `a lasting offset is corrected within a second, to less than one millisecond`(
    offset: Int, run: Int
  ) {
    var track = Track()
    for index in 0..<200 { _ = track.push(Int64(index * run), run) }
    let second = Self.rate / run
    for index in 200..<200 + second { _ = track.push(Int64(index * run + offset), run) }
    let after = track.position - Int64((200 + second) * run + offset)
    #expect(abs(after) < Int64(Self.rate / 1_000))
    // And nothing more is done to it.
    for index in 200 + second..<400 + second {
      let action = track.push(Int64(index * run + offset), run)
      #expect(action == .init(silence: 0, skip: 0))
    }
  }

  @Test func `hostile time stamps do not trap`() {
    var track = Track()
    for start in [.min, .max, 0, .min + 1, 1 << 50, -1 << 50] as [Int64] {
      let action = track.push(start)
      #expect(action.silence >= 0 && (0...Self.run).contains(action.skip))
    }
  }

  /// A clock 100 ppm off, jitter of up to 5 ms, holes and repeats: what was put out stays with the
  /// time stamps.
  @Test func `the sound never drifts from its time stamps`() {
    var random = SplitMix(seed: 48_000)
    for round in 0..<60 {
      var track = Track()
      let drift = 1 + Double.random(in: -1e-4...1e-4, using: &random)
      var time = Double.random(in: -20_000...20_000, using: &random)
      let jitter = Double.random(in: 0...240, using: &random)
      for index in 0..<3_000 {
        if Double.random(in: 0..<1, using: &random) < 0.002 {
          time += Double.random(in: -20_000...40_000, using: &random)
        }
        let stamp = time + Double.random(in: -jitter...jitter, using: &random)
        _ = track.push(Int64(stamp.rounded()))
        time += Double(Self.run) * drift
        // After each run the output is where the time stamps are, as far as jitter hides it:
        // always within a jump (18 ms), unless all of it is still to be cut.
        let offset = Double(track.position) - time
        #expect(
          abs(offset) <= 0.018 * Double(Self.rate) + 2 * jitter || time < Double(track.position),
          "round \(round), run \(index): \(offset)")
      }
      // And by the end of two quiet seconds within a millisecond and what jitter leaves.
      for _ in 0..<96 {
        let stamp = time + Double.random(in: -jitter...jitter, using: &random)
        _ = track.push(Int64(stamp.rounded()))
        time += Double(Self.run) * drift
      }
      #expect(
        abs(Double(track.position) - time) <= 0.0012 * Double(Self.rate) + jitter / 3,
        "round \(round), jitter \(jitter)")
    }
  }
}
