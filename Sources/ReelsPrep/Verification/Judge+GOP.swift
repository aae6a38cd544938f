import ReelsModel

/// The rules of how pictures follow each other, and of how many bits they take.
extension Judge {
  /// What messages beside the pictures break, as `choose` takes it from them.
  func messages(_ choose: (SupplementalMessage.Trouble) -> String?) -> [Fault] {
    (evidence.pictures?.messages ?? []).compactMap { message in
      choose(message.trouble).map { Fault($0, at: message.location) }
    }
  }

  func closedGOP(_ timeline: Timeline, _ pictures: CodedSamples) -> Finding {
    let samples = timeline.samples
    let starts = samples.indices.filter { samples[$0].isSync }
    var faults: [Fault] = []
    if samples.first?.isSync != true {
      faults.append(Fault("the first frame is no sync sample", at: "frame 0"))
    }
    for index in starts where index < pictures.pictures.count {
      let place = "frame \(index), NAL unit \(pictures.firstSlices[index])"
      switch pictures.pictures[index] {
      case .instantRefresh: continue
      case .other: faults.append(Fault("a sync sample that is no IDR", at: place))
      case .mixed: faults.append(Fault("IDR and other slices", at: place))
      case .none: faults.append(Fault("a sync sample without a picture", at: "frame \(index)"))
      }
    }
    // What a player cannot see, it does not seek to.
    faults += pictures.pictures.indices.filter {
      pictures.pictures[$0] == .instantRefresh && !samples[$0].isSync
    }.map { Fault("an IDR that stss does not name", at: "frame \($0)") }
    faults += overlaps(samples, starts: starts)

    let longest = longestGOP(timeline, starts: starts)
    let limit = limits.gopSecondsMaximum
    if let longest, longest.length.seconds > Self.exact(limit.value) {
      faults.append(Fault("\(longest.length) s long", at: "frame \(longest.start)"))
    }
    return judge(
      .closedGOP, limit.severity,
      found: longest.map { "closed, at most \($0.length) s long" } ?? "none",
      allowed: "closed, at most \(Self.decimals(Self.exact(limit.value), 3)) s long",
      faults: faults)
  }

  /// Frames that are shown on the other side of a sync sample than they are decoded.
  private func overlaps(_ samples: [MP4Sample], starts: [Int]) -> [Fault] {
    var faults: [Fault] = []
    var earliestAfter = [Int64](repeating: .max, count: samples.count + 1)
    for index in samples.indices.reversed() {
      earliestAfter[index] = min(earliestAfter[index + 1], samples[index].compositionTime)
    }
    var latestBefore = Int64.min
    var next = 0
    for start in starts {
      while next < start {
        latestBefore = max(latestBefore, samples[next].compositionTime)
        next += 1
      }
      let time = samples[start].compositionTime
      if earliestAfter[start + 1] < time {
        faults.append(Fault("a frame decoded after it is shown before it", at: "frame \(start)"))
      } else if latestBefore > time {
        faults.append(Fault("a frame decoded before it is shown after it", at: "frame \(start)"))
      }
    }
    return faults
  }

  private func longestGOP(
    _ timeline: Timeline, starts: [Int]
  ) -> (start: Int, length: MediaTime)? {
    let times = starts.map { timeline.samples[$0].compositionTime }
    let ends = times.dropFirst() + [timeline.endTicks]
    let longest = zip(starts, zip(times, ends)).max { $0.1.1 - $0.1.0 < $1.1.1 - $1.1.0 }
    return longest.map { ($0.0, timeline.time($0.1.1 - $0.1.0)) }
  }

  var peakBitRate: Finding? {
    let timelines = [evidence.videoTimeline, evidence.audioTimeline].compactMap { $0 }
    guard let peak = PeakBitRate(of: timelines) else { return nil }
    let limit = BitsPerSecond(limits.peakBitsPerSecond.value)
    let bits = Ratio(timelines.reduce(0) { $0 + $1.byteCount }) * Ratio(8)
    let length = timelines.map(\.length.seconds).max() ?? Ratio(1)
    let average = BitsPerSecond(length.isPositive ? (bits / length).rounded : 0)
    return judge(
      .peakBitRate, limits.peakBitsPerSecond.severity,
      found: "\(peak.rate) at most, \(average) on average", allowed: "\(limit) over any second",
      faults: peak.rate <= limit
        ? []
        : [
          Fault(
            "\(peak.rate), \(average) on average", at: "the second from \(peak.start) s")
        ])
  }
}
