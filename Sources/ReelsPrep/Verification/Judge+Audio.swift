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
    if let timeline = evidence.audioTimeline {
      if let timing = audioTiming(timeline) { findings.append(timing) }
      findings.append(audioBitRate(timeline))
    }
    findings.append(audioPriming(track))
    return findings
  }

  private func audioCodec(_ track: MP4Track) -> Finding {
    let names = limits.audioCodecs.value
    let configuration = track.audioEntry?.configuration
    let found =
      configuration?.name ?? track.audioEntry?.configurationFault
      ?? track.entry.map { "\($0.format)" } ?? "none"
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
    if isAllowed, evidence.soundHead.starts(with: [0xFF]),
      evidence.soundHead.dropFirst().first.map({ $0 & 0xF6 == 0xF0 }) == true
    {
      // ISO/IEC 14496-3, 1.A.2.2: the syncword, and a layer that is always 0. No packet without such a
      // header starts so: it would end before it begins.
      faults.append(
        Fault("AAC with ADTS headers", at: "packet 0 of \(track.location)", allowed: "bare packets")
      )
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
    let rate = configuration.outputRate
    let found = rate > 0 ? "\(rate) Hz" : "a rate that is reserved"
    var faults: [Fault] = []
    if rate <= 0 || rate > limit.value {
      faults.append(Fault(found, at: configuration.location))
    } else if entry.sampleRate != rate, entry.sampleRate != configuration.sampleRate {
      faults.append(
        Fault(
          "\(rate) Hz where the container says \(entry.sampleRate) Hz", at: track.entry?.location,
          allowed: "the rate that the container says"))
    }
    return judge(
      .audioSampleRate, limit.severity, found: found, allowed: "at most \(limit.value) Hz",
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
      faults: isInside
        ? [channelMismatch(configuration), entryMismatch(configuration)].compactMap { $0 }
        : [Fault(found, at: configuration.location)])
  }

  /// Of one or two channels many tools write two: 14496-12, 12.2.3, a template value.
  private func entryMismatch(_ configuration: AudioConfiguration) -> Fault? {
    guard let entry = evidence.audio?.audioEntry, entry.channels > 2,
      let channels = configuration.channels, entry.channels != channels
    else { return nil }
    return Fault(
      "\(channels) where the container says \(entry.channels)", at: evidence.audio?.entry?.location,
      allowed: "as many as the container says")
  }

  /// What the first packet begins with, against what the configuration says of one or two channels.
  private func channelMismatch(_ configuration: AudioConfiguration) -> Fault? {
    guard configuration.isAACLowComplexity, let channels = configuration.channels, channels <= 2,
      let held = FirstElement(evidence.soundHead)?.channels, held != channels
    else { return nil }
    return Fault(
      "\(channels) where the packets hold \(held)", at: configuration.location,
      allowed: "as many as the packets hold")
  }

  /// contract.md, "Copying".
  private static let timingTolerance = MediaTime(seconds: Ratio(1, 1_000))

  /// Whether packets follow each other: each begins where the samples before it end. The last one may last
  /// as long as the file wants.
  private func audioTiming(_ timeline: Timeline) -> Finding? {
    guard let configuration = timeline.track.audioEntry?.configuration,
      configuration.audioObjectType != nil, configuration.sampleRate > 0,
      // Their kind is refused, and nobody knows how long they are.
      !configuration.hasShortPackets
    else { return nil }
    // ISO/IEC 14496-3, 4.5.2.1.1: `frameLength`.
    let packet = Ratio(1_024, Int64(configuration.sampleRate))
    // A clock that is coarser than the samples' rounds by a tick.
    let tolerance = Self.timingTolerance + MediaTime(seconds: timeline.timeBase)
    var fault: Fault?
    for (index, sample) in timeline.samples.enumerated() where index > 0 {
      let exact = timeline.start + MediaTime(seconds: packet * Ratio(Int64(index)))
      let off = timeline.time(sample.compositionTime) - exact
      if max(off, .zero - off) > tolerance {
        let side = off < .zero ? "early" : "late"
        let amount = max(off, .zero - off).decimals(6)
        fault = Fault(
          "a packet \(amount) s \(side)", at: "packet \(index) of \(timeline.track.location)")
        break
      }
    }
    return judge(
      .audioTiming, found: "every \(Self.decimals(packet, 6)) s",
      allowed: "packets that follow each other, within 1 ms", faults: fault.map { [$0] } ?? [])
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
    // An encoder that is told the limit keeps it within a fraction of a percent: 128,045 bit/s.
    let most = BitsPerSecond(limit.value + limit.value / 100)
    let seconds = timeline.length.seconds
    let rate = BitsPerSecond((Ratio(timeline.byteCount) * Ratio(8) / seconds).rounded)
    return judge(
      .audioBitRate, limits.audioBitsPerSecond.severity, found: "\(rate)",
      allowed: "at most \(limit)",
      faults: rate <= most ? [] : [Fault("\(rate)", at: timeline.track.location)])
  }
}
