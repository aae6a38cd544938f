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
    findings.append(audioPriming(track))
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
    if isAllowed, let configuration, let decoded, decoded.soundRate > configuration.sampleRate {
      faults.append(
        Fault("HE-AAC, which only its packets tell", at: "packet 0 of \(track.location)"))
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

  /// Samples that an encoder puts before the sound, and that nothing tells a player to skip: the
  /// sound comes late by them.
  ///
  /// Known only where the file says so: `iTunSMPB`, or the name that libavcodec's encoder writes into its
  /// first packet, which is priming (aacenc.c: 1,024 samples). An edit list that skips it is another
  /// rule's.
  private func audioPriming(_ track: MP4Track) -> Finding {
    var faults: [Fault] = []
    var found = "none that is told"
    if let start = track.edits.lazy.compactMap(\.mediaTime).first, start > 0 {
      found = "\(start) samples, skipped by an edit list"
    } else {
      let items = evidence.file.movie.metadata + evidence.file.metadata
      if let item = items.first(where: { $0.gapless != nil }),
        let samples = Self.priming(item.gapless ?? ""), samples > 0
      {
        faults.append(Fault("\(samples) samples by iTunSMPB", at: item.location))
      }
      // Of other codecs the name says nothing of priming.
      if track.audioEntry?.configuration?.audioObjectType != nil,
        Self.holdsEncoderName(evidence.soundHead)
      {
        faults.append(
          Fault("1024 samples: an encoder's first packet", at: "packet 0 of \(track.location)"))
      }
    }
    return Finding(
      rule: .audioPriming, verdict: faults.isEmpty ? .pass : .advised,
      found: faults.first?.found ?? found, allowed: "none that is played",
      location: faults.first?.location)
  }

  /// The second number of `iTunSMPB`, in hexadecimal.
  private static func priming(_ text: String) -> Int? {
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1], radix: 16) : nil
  }

  private static func holdsEncoderName(_ bytes: [UInt8]) -> Bool {
    let name = Array("Lavc".utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: name) }
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
