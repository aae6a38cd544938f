import ReelsModel

/// The rules of time: all of them left out where times cannot be told, which another rule refuses.
extension Judge {
  var timingFindings: [Finding] {
    guard evidence.hasTimes else { return [] }
    var findings = [duration]
    if let first = startsAtZero { findings.append(first) }
    if let video = evidence.videoTimeline {
      if let audio = evidence.audioTimeline { findings.append(endsTogether(video, audio)) }
      findings += [frameCount(video), frameRate(video), constantFrameRate(video)]
    }
    return findings
  }

  private var timelines: [Timeline] {
    [evidence.videoTimeline, evidence.audioTimeline].compactMap { $0 }
  }

  private var duration: Finding {
    let bounds = limits.durationSeconds.value
    let minimum = MediaTime(seconds: Self.exact(bounds.minimum))
    let maximum = MediaTime(seconds: Self.exact(bounds.maximum))
    var faults: [Fault] = []
    let pairs = [
      (evidence.video, evidence.videoTimeline), (evidence.audio, evidence.audioTimeline),
    ]
    for (track, timeline) in pairs where timeline == nil {
      if let track { faults.append(Fault("no samples on a clock", at: track.location)) }
    }
    for timeline in timelines {
      if timeline.length < minimum {
        faults.append(Fault("\(timeline.length) s", at: timeline.track.location))
      } else if timeline.end > maximum {
        faults.append(
          Fault("ends at \(timeline.end.decimals(6)) s", at: timeline.track.location))
      }
    }
    let claims =
      [(evidence.file.movie.claimedDuration, evidence.file.movie.headerLocation)]
      + evidence.file.movie.tracks.map { ($0.header.claimedDuration, $0.header.location) }
      + evidence.file.movie.tracks.map { ($0.claimedDuration, "\($0.location), its mdhd") }
    for (claim, location) in claims {
      if let claim, claim > maximum {
        faults.append(Fault("claims \(claim.decimals(6)) s", at: location))
      } else if claim == nil {
        faults.append(Fault("claims no duration", at: location))
      }
    }
    faults += disagreeing
    return judge(
      .duration, limits.durationSeconds.severity,
      found: timelines.map { "\($0.length) s" }.joined(separator: ", "),
      allowed: Self.range(bounds, "s"), faults: faults)
  }

  /// What headers may be off: fractions of a frame that other tools count or leave out.
  private static let claimTolerance = MediaTime(seconds: Ratio(1, 10))

  /// Headers that claim another duration than the samples have, in a file without an edit list.
  private var disagreeing: [Fault] {
    var faults: [Fault] = []
    let movie = evidence.file.movie
    func compare(_ claim: MediaTime?, _ real: MediaTime, _ location: String) {
      guard let claim, max(claim - real, real - claim) > Self.claimTolerance else { return }
      faults.append(
        Fault(
          "claims \(claim.decimals(6)) s, and the samples last \(real.decimals(6)) s", at: location,
          allowed: "headers that claim what the samples last"))
    }
    for timeline in timelines {
      let track = timeline.track
      compare(track.claimedDuration, timeline.length, "\(track.location), its mdhd")
      if track.editListLocation == nil {
        compare(track.header.claimedDuration, timeline.length, track.header.location)
      }
    }
    if movie.tracks.allSatisfy({ $0.editListLocation == nil && ($0.isVideo || $0.isAudio) }),
      let longest = timelines.map(\.length).max()
    {
      compare(movie.claimedDuration, longest, movie.headerLocation)
    }
    return faults
  }

  private var startsAtZero: Finding? {
    guard !timelines.isEmpty else { return nil }
    return judge(
      .startsAtZero, found: "0 s", allowed: "0 s",
      faults: timelines.filter { $0.startTicks != 0 }.map {
        Fault("\($0.start.decimals(6)) s", at: $0.track.location)
      })
  }

  private func endsTogether(_ video: Timeline, _ audio: Timeline) -> Finding {
    let difference = video.end - audio.end
    let distance = max(difference, .zero - difference)
    let found = "video at \(video.end.decimals(6)) s, audio at \(audio.end.decimals(6)) s"
    let tolerance = MediaTime(seconds: Ratio(1, 1000))
    return judge(
      .endsTogether, found: found, allowed: "within 1 ms",
      faults: distance <= tolerance
        ? []
        // Where the shorter one's samples are told.
        : [Fault(found, at: (difference < .zero ? video : audio).track.table.location)])
  }

  private func frameCount(_ video: Timeline) -> Finding {
    let count = video.samples.count
    let isRight = expected.frames.map { $0 == count } ?? true
    return judge(
      .frameCount, found: "\(count) frames",
      allowed: expected.frames.map { "\($0) frames" } ?? "any",
      faults: isRight
        ? []
        : [
          Fault(
            "\(count) frames", at: "\(Manifest.fileName), and \(video.track.table.location)")
        ])
  }

  private func frameRate(_ video: Timeline) -> Finding {
    let bounds = limits.frameRate.value
    let rate = video.averageRate ?? Ratio(0)
    let isInside = rate >= Self.exact(bounds.minimum) && rate <= Self.exact(bounds.maximum)
    let found = "\(Self.decimals(rate, 3)) frames/s"
    return judge(
      .frameRate, limits.frameRate.severity, found: found,
      allowed: Self.range(bounds, "frames/s"),
      faults: isInside ? [] : [Fault(found, at: video.track.location)])
  }

  private func constantFrameRate(_ video: Timeline) -> Finding {
    let uneven = video.unevenInterval(tolerance: expected.intervalTolerance)
    var faults = uneven.map { [Fault($0.found, at: "frame \($0.frame)")] } ?? []
    if let frame = evidence.pictures?.firstBidirectional, video.reorderedFrames == 0,
      evidence.sequences.first?.reorderFrames != 0
    {
      // Times that were lost: a B frame is shown before one that it is decoded after.
      faults.append(
        Fault(
          "B frames that are shown in the order of decoding", at: "frame \(frame)",
          allowed: "times that say when each frame is shown"))
    }
    let interval =
      video.averageRate?.inverted.map { "every \(Self.decimals($0, 6)) s" } ?? "one frame"
    return judge(
      .constantFrameRate, found: interval,
      allowed: expected.intervalTolerance == .zero
        ? "equal intervals"
        : "within \(expected.intervalTolerance.decimals(6)) s of the mean interval",
      faults: faults)
  }
}
