import ReelsModel

/// The rules of sound; all left out where there is no audio track, which another rule refuses.
extension Judge {
  var audioFindings: [Finding] {
    guard let track = evidence.audio else { return [] }
    var findings = [audioCodec(track)]
    if let entry = track.audioEntry, let configuration = entry.configuration,
      configuration.audioObjectType != nil
    {
      findings += [sampleRate(track, entry, configuration), channels(configuration)]
    }
    if let timeline = evidence.audioTimeline { findings.append(audioBitRate(timeline)) }
    return findings
  }

  private func audioCodec(_ track: MP4Track) -> Finding {
    let names = limits.audioCodecs.value
    let configuration = track.audioEntry?.configuration
    let found = configuration?.name ?? track.entry.map { "\($0.format)" } ?? "none"
    let isAllowed =
      configuration?.isAACLowComplexity == true
      && (Self.holds(names, "aac") || Self.holds(names, "aac-lc"))
    var faults: [Fault] = []
    if !isAllowed {
      faults.append(
        Fault(
          found,
          at: configuration?.location ?? track.entry?.location ?? track.location))
    }
    if let entry = track.entry, entry.entryCount > 1 {
      faults.append(Fault("\(entry.entryCount) sample descriptions", at: entry.location))
    }
    return judge(
      .audioCodec, limits.audioCodecs.severity, found: found, allowed: "AAC-LC", faults: faults)
  }

  private func sampleRate(
    _ track: MP4Track, _ entry: MP4SampleEntry.Audio, _ configuration: AudioConfiguration
  ) -> Finding {
    let limit = limits.audioSampleRateMaximum
    let rate = configuration.sampleRate
    var faults: [Fault] = []
    if rate <= 0 || rate > limit.value {
      faults.append(Fault("\(rate) Hz", at: configuration.location))
    } else if entry.sampleRate != rate {
      faults.append(
        Fault(
          "\(rate) Hz where the container says \(entry.sampleRate) Hz", at: track.entry?.location))
    }
    return judge(
      .audioSampleRate, limit.severity, found: "\(rate) Hz", allowed: "at most \(limit.value) Hz",
      faults: faults)
  }

  private func channels(_ configuration: AudioConfiguration) -> Finding {
    let bounds = limits.audioChannels.value
    let found = configuration.channels.map { "\($0)" } ?? "a layout of its own"
    let isInside =
      configuration.channels.map {
        (bounds.minimum...max(bounds.minimum, bounds.maximum)).contains(Double($0))
      } ?? false
    return judge(
      .audioChannels, limits.audioChannels.severity, found: found,
      allowed: Self.range(bounds, "channels"),
      faults: isInside ? [] : [Fault(found, at: configuration.location)])
  }

  private func audioBitRate(_ timeline: Timeline) -> Finding {
    let limit = BitsPerSecond(limits.audioBitsPerSecond.value)
    let seconds = timeline.length.seconds
    let rate = BitsPerSecond((Ratio(timeline.byteCount) * Ratio(8) / seconds).rounded)
    return judge(
      .audioBitRate, limits.audioBitsPerSecond.severity, found: "\(rate)",
      allowed: "at most \(limit)",
      faults: rate <= limit ? [] : [Fault("\(rate)", at: timeline.track.location)])
  }
}
