import ReelsModel
import Testing

@Suite struct FrameClockTests {
  /// The source frame that each place shows, from the clock's own actions; nil is a place that no
  /// run covers.
  static func places(
    _ times: [MediaTime], start: MediaTime = .zero, rate: Ratio, total: Int
  ) -> [Int?] {
    var clock = FrameClock(start: start, rate: rate, places: 0..<total)
    var places = [Int?](repeating: nil, count: total)
    var held: Int?
    func show(_ run: FrameClock.Run) {
      for place in run.first..<(run.first + run.count) where places.indices.contains(place) {
        places[place] = held
      }
    }
    for (index, time) in times.enumerated() {
      switch clock.push(time) {
      case .ignore: continue
      case .replace: held = index
      case .show(let run):
        show(run)
        held = index
      case .finish(let run):
        show(run)
        return places
      }
    }
    if let run = clock.finish() { show(run) }
    return places
  }

  static func times(_ rate: Ratio, count: Int, from start: Ratio = Ratio(0)) -> [MediaTime] {
    (0..<count).map { MediaTime(seconds: start + Ratio(Int64($0)) / rate) }
  }

  @Test(arguments: [
    Ratio(24000, 1001), Ratio(25), Ratio(30000, 1001), Ratio(30), Ratio(60000, 1001), Ratio(60),
    Ratio(26777, 1000),
  ])
  func `a kept rate shows every frame once, also where time stamps are whole milliseconds`(
    rate: Ratio
  ) {
    let times = Self.times(rate, count: 600, from: Ratio(7, 10)).map {
      MediaTime(ticks: $0.ticks(in: Ratio(1, 1000)), timeBase: Ratio(1, 1000))
    }
    let places = Self.places(times, start: times[0], rate: rate, total: 600)
    #expect(places == (0..<600).map { $0 })
  }

  @Test(arguments: [
    (Ratio(120), Ratio(60)), (Ratio(15), Ratio(30)), (Ratio(25), Ratio(30)),
    (Ratio(30), Ratio(25)), (Ratio(24000, 1001), Ratio(30)), (Ratio(60), Ratio(24000, 1001)),
    (Ratio(1), Ratio(23)), (Ratio(240000, 1001), Ratio(60)),
  ])
  func `another rate shows each frame within half an output frame of its time`(
    from: Ratio, to: Ratio
  ) throws {
    let total = Int((to * Ratio(10)).floor)
    let times = Self.times(from, count: Int((from * Ratio(10)).floor))
    let places = Self.places(times, rate: to, total: total)
    let half = Ratio(1, 2) / to
    for (index, time) in times.enumerated() {
      // Where the picture has first changed to this frame, or past it.
      guard let first = places.firstIndex(where: { ($0 ?? -1) >= index }) else {
        #expect(time.seconds + half >= Ratio(Int64(total)) / to, "frame \(index) is missing")
        continue
      }
      let shown = Ratio(Int64(first)) / to
      // The first place is the start's own: what comes within half a place of it waits for the next.
      let isAfterStart = time > .zero && time.seconds < half
      let half = isAfterStart ? half * Ratio(2) : half
      #expect(max(shown - time.seconds, time.seconds - shown) <= half, "frame \(index)")
    }
  }

  @Test func `halving shows every second frame, doubling every one twice`() {
    let half = Self.places(Self.times(Ratio(120), count: 240), rate: Ratio(60), total: 120)
    let kept = half.compactMap { $0 }
    #expect(zip(kept.dropFirst(2), kept.dropFirst()).allSatisfy { $0 - $1 == 2 })
    let double = Self.places(Self.times(Ratio(15), count: 30), rate: Ratio(30), total: 60)
    #expect(double == (0..<60).map { $0 / 2 })
  }

  /// Of several frames within half an output frame of the start, the first is the one on show there.
  @Test(arguments: [Ratio(144), Ratio(240), Ratio(480), Ratio(1000)])
  func `the first place shows the frame on show at the start, whatever the source's rate`(
    rate: Ratio
  ) {
    let times = Self.times(rate, count: 2000)
    for start in [0, 7, 120] {
      let places = Self.places(times, start: times[start], rate: Ratio(60), total: 20)
      #expect(places[0] == start)
      #expect(zip(places, places.dropFirst()).allSatisfy { ($0 ?? 0) < ($1 ?? 0) })
    }
  }

  @Test func `of a burst at the start, what comes last is held`() {
    let times = [0, 4, 8, 12].map { MediaTime(ticks: $0, timeBase: Ratio(1, 1000)) }
    #expect(Self.places(times, rate: Ratio(30), total: 4) == [0, 3, 3, 3])
  }

  @Test func `of the frames before the start the last one is on show at it`() {
    let times = Self.times(Ratio(30), count: 30)
    let start = MediaTime(seconds: Ratio(10, 30))
    #expect(
      Self.places(times, start: start, rate: Ratio(30), total: 5) == [10, 11, 12, 13, 14])
    // Between two frames it is the earlier one, until the next one's place.
    let between = MediaTime(seconds: Ratio(103, 300))
    #expect(Self.places(times, start: between, rate: Ratio(30), total: 3) == [10, 11, 12])
  }

  @Test func `a first frame that comes late is shown from the start`() {
    let times = Self.times(Ratio(30), count: 5, from: Ratio(1))
    let places = Self.places(times, rate: Ratio(30), total: 40)
    #expect(places.prefix(31).allSatisfy { $0 == 0 })
    #expect(places[31] == 1)
    #expect(places.last == 4)
  }

  @Test func `a frame that goes back in time is dropped`() {
    let seconds = [0, 1, 2, 1, 3].map { MediaTime(seconds: Ratio($0, 30)) }
    #expect(Self.places(seconds, rate: Ratio(30), total: 4) == [0, 1, 2, 4])
  }

  @Test func `of two frames at one place the later one is shown`() {
    let times = [Ratio(0), Ratio(1, 30), Ratio(11, 300), Ratio(2, 30)].map {
      MediaTime(seconds: $0)
    }
    #expect(Self.places(times, rate: Ratio(30), total: 3) == [0, 2, 3])
  }

  @Test func `the last frame is held to the end`() {
    let places = Self.places(Self.times(Ratio(30), count: 3), rate: Ratio(30), total: 90)
    #expect(places[1] == 1)
    #expect(places.dropFirst(2).allSatisfy { $0 == 2 })
  }

  @Test func `frames beyond the end finish the output`() {
    var clock = FrameClock(start: .zero, rate: Ratio(30), places: 0..<10)
    #expect(clock.push(.zero) == .replace)
    #expect(clock.push(MediaTime(seconds: 5)) == .finish(.init(first: 0, count: 10)))
  }

  @Test func `without a frame there is no run`() {
    let clock = FrameClock(start: .zero, rate: Ratio(30), places: 0..<10)
    #expect(clock.finish() == nil)
  }

  @Test func `a time that no video has does not trap`() {
    var clock = FrameClock(start: .zero, rate: Ratio(60), places: 0..<10)
    for seconds in [Ratio(.max), Ratio(-.max), Ratio(1, .max)] {
      _ = clock.push(MediaTime(seconds: seconds))
    }
    #expect(clock.place(of: MediaTime(seconds: Ratio(.max))) > 10)
    #expect(clock.place(of: MediaTime(seconds: Ratio(-.max))) < 0)
  }

  @Test func `whatever the time stamps, the runs follow each other from 0 to the end`() {
    var random = SplitMix(seed: 20_26)
    for round in 0..<400 {
      let rate =
        [Ratio(24000, 1001), Ratio(30), Ratio(60), Ratio(26777, 1000)]
        .randomElement(using: &random) ?? Ratio(30)
      let total = Int.random(in: 1...200, using: &random)
      let count = Int.random(in: 1...300, using: &random)
      let start = MediaTime(
        ticks: Int64.random(in: -2_000...2_000, using: &random), timeBase: Ratio(1, 1000))
      var clock = FrameClock(start: start, rate: rate, places: 0..<total)
      var next = 0
      var isFinished = false
      func take(_ run: FrameClock.Run) {
        #expect(run.first == next && run.count > 0, "round \(round): \(run) after \(next)")
        next = run.first + run.count
      }
      for _ in 0..<count where !isFinished {
        let time = MediaTime(
          ticks: Int64.random(in: -3_000...9_000, using: &random), timeBase: Ratio(1, 1000))
        switch clock.push(time) {
        case .ignore, .replace: continue
        case .show(let run):
          take(run)
          #expect(next < total)
        case .finish(let run):
          take(run)
          isFinished = true
        }
      }
      if !isFinished, let run = clock.finish() { take(run) }
      #expect(next == total, "round \(round)")
    }
  }

  /// Ranges are made apart from each other, each from some frame before it on.
  @Test func `a range shows what the whole shows there, wherever decoding began`() {
    var random = SplitMix(seed: 7)
    for round in 0..<200 {
      let rate =
        [Ratio(24000, 1001), Ratio(30), Ratio(60)].randomElement(using: &random) ?? Ratio(30)
      let total = Int.random(in: 20...200, using: &random)
      // Rising, with holes and with several frames in one place.
      var ticks: Int64 = 0
      let times = (0..<250).map { _ in
        ticks += Int64.random(in: 1...70, using: &random)
        return MediaTime(ticks: ticks, timeBase: Ratio(1, 1000))
      }
      let whole = Self.places(times, start: times[0], rate: rate, total: total)
      let middle = Int.random(in: 1..<total, using: &random)
      let clock = FrameClock(start: times[0], rate: rate, places: 0..<total)
      let before = times.indices.filter { clock.place(of: times[$0]) <= middle }
      guard let entry = before.randomElement(using: &random) else { continue }
      var part = FrameClock(start: times[0], rate: rate, places: middle..<total)
      var shown = [Int?](repeating: nil, count: total)
      var held: Int?
      func show(_ run: FrameClock.Run) {
        for place in run.first..<(run.first + run.count) { shown[place] = held }
      }
      loop: for index in times.indices[entry...] {
        switch part.push(times[index]) {
        case .ignore: continue
        case .replace: held = index
        case .show(let run):
          show(run)
          held = index
        case .finish(let run):
          show(run)
          held = nil
          break loop
        }
      }
      if held != nil, let run = part.finish() { show(run) }
      #expect(shown[middle...] == whole[middle...], "round \(round), from frame \(entry)")
    }
  }
}
