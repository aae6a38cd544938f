import ReelsModel

/// The rules of the video stream's coding.
extension Judge {
  var videoFindings: [Finding] {
    guard let track = evidence.video else { return [] }
    var findings = [videoCodec(track)]
    if let sets = evidence.parameterSets {
      findings += [
        videoProfile(sets), videoLevel(sets), pixelFormat, progressive(track), colorTags(track),
      ]
    } else if Self.holds(limits.videoCodecs.value, track.videoCodec) {
      // Nothing else would say that the stream was not looked into.
      let reason = evidence.parameterFault ?? "\(track.videoCodec), which this check does not read"
      findings.append(
        judge(
          .videoProfile, found: reason, allowed: allowedProfiles,
          faults: [
            Fault(reason, at: track.entry?.location, allowed: "parameter sets that can be read")
          ]))
    }
    if let timeline = evidence.videoTimeline {
      if let pictures = evidence.pictures { findings.append(closedGOP(timeline, pictures)) }
      findings += peakBitRate.map { [$0] } ?? []
    }
    return findings
  }

  private func videoCodec(_ track: MP4Track) -> Finding {
    var faults: [Fault] = []
    if !Self.holds(limits.videoCodecs.value, track.videoCodec) {
      faults.append(Fault(track.videoCodec, at: track.entry?.location ?? track.location))
    } else if let entry = track.entry, entry.format == "hev1" {
      // Apple, HLS Authoring Specification, 1.10; AVFoundation does not play it.
      faults.append(Fault("hevc as hev1, which Apple's players do not take", at: entry.location))
    } else if let entry = track.entry, entry.format == "avc3" {
      // ISO/IEC 14496-15, 5.4.2: its parameter sets may be in the samples.
      faults.append(Fault("h264 as avc3, which Apple's players do not take", at: entry.location))
    }
    if let entry = track.entry, entry.entryCount > 1 {
      faults.append(Fault("\(entry.entryCount) sample descriptions", at: entry.location))
    }
    return judge(
      .videoCodec, limits.videoCodecs.severity, found: track.videoCodec,
      allowed: limits.videoCodecs.value.joined(separator: ", "), faults: faults)
  }

  private var allowedProfiles: String { limits.videoProfiles.value.joined(separator: ", ") }

  private func videoProfile(_ sets: ParameterSets) -> Finding {
    var faults: [Fault] = []
    for set in evidence.sequences {
      let name = set.profileName
      let isAllowed =
        Self.holds(limits.videoProfiles.value, name)
        || (name == "Constrained Baseline" && Self.holds(limits.videoProfiles.value, "Baseline"))
      if !isAllowed {
        faults.append(Fault(name, at: set.location))
      } else if set.profileNumber != sets.profileNumber {
        faults.append(
          Fault("\(name) where the container says profile \(sets.profileNumber)", at: set.location))
      }
    }
    if let location = sets.sliceGroupsLocation {
      faults.append(Fault("flexible macroblock ordering", at: location))
    }
    faults += toolFaults(sets)
    return judge(
      .videoProfile, limits.videoProfiles.severity,
      found: evidence.sequences.first?.profileName ?? "none", allowed: allowedProfiles,
      faults: faults)
  }

  /// What a profile does not have, and the stream uses: H.264, A.2.
  private func toolFaults(_ sets: ParameterSets) -> [Fault] {
    guard let set = evidence.sequences.first as? H264SPS else { return [] }
    var faults: [Fault] = []
    if set.profileIDC == 66 {
      if sets.hasArithmeticCoding {
        faults.append(Fault("\(set.profileName) with CABAC", at: sets.location))
      }
      if let frame = evidence.pictures?.firstBidirectional {
        faults.append(Fault("\(set.profileName) with B slices", at: "frame \(frame)"))
      }
    }
    if set.profileIDC < 100, sets.hasLargeTransform {
      faults.append(Fault("\(set.profileName) with transforms of 8x8", at: sets.location))
    }
    return faults
  }

  private func videoLevel(_ sets: ParameterSets) -> Finding {
    let rate = evidence.videoTimeline?.averageRate ?? Ratio(1)
    let demand = evidence.videoTimeline.map { BitDemand($0) } ?? BitDemand()
    let reordered = evidence.videoTimeline?.reorderedFrames ?? 0
    var faults: [Fault] = []
    for set in evidence.sequences {
      guard let name = set.levelName else {
        faults.append(Fault("level_idc \(set.levelNumber)", at: set.location))
        continue
      }
      if !set.isLevelCommon {
        faults.append(Fault(name, at: set.location))
      } else if let shortfall = set.levelShortfall(frameRate: rate, demand: demand) {
        faults.append(Fault("\(name) with \(shortfall)", at: set.location))
      } else if set.levelNumber != sets.levelNumber {
        faults.append(
          Fault(
            "\(name) where the container says level_idc \(sets.levelNumber)", at: set.location))
      } else if let most = set.reorderFrames, reordered > most {
        // A decoder that believes it shows frames too early.
        faults.append(
          Fault(
            "\(reordered) frames out of order where the VUI says \(most)", at: set.location,
            allowed: "as many frames out of order as max_num_reorder_frames"))
      }
    }
    let first = evidence.sequences.first
    let lowest = first?.lowestLevelName(frameRate: rate, demand: demand)
    return judge(
      .videoLevel, found: first?.levelName ?? "none", allowed: "\(lowest ?? "none") to 5.2",
      faults: faults)
  }

  private var pixelFormat: Finding {
    let describe = { (set: any VideoSequence) -> String in
      let chroma = ["4:0:0", "4:2:0", "4:2:2", "4:4:4"]
      let name =
        chroma.indices.contains(set.chromaFormat)
        ? chroma[set.chromaFormat] : "chroma_format_idc \(set.chromaFormat)"
      return "\(name), \(max(set.lumaBitDepth, set.chromaBitDepth)) bits"
    }
    let isBroken = { (set: any VideoSequence) in
      set.chromaFormat != 1 || set.lumaBitDepth != 8 || set.chromaBitDepth != 8
    }
    return judge(
      .pixelFormat, found: evidence.sequences.first.map(describe) ?? "none",
      allowed: "4:2:0, 8 bits",
      faults: evidence.sequences.filter(isBroken).map { Fault(describe($0), at: $0.location) })
  }

  private func progressive(_ track: MP4Track) -> Finding {
    var faults = evidence.sequences.filter { !$0.isFrameOnly }.map {
      Fault("coded for fields", at: $0.location)
    }
    if let location = track.videoEntry?.interlacedLocation {
      faults.append(Fault("two fields a frame", at: location))
    }
    faults += messages { $0 == .fields ? "pictures of two fields, by SEI" : nil }
    return judge(
      .progressive, found: "frames only", allowed: "frames only", faults: faults)
  }

  private func colorTags(_ track: MP4Track) -> Finding {
    let describe = { (color: ColorDescription) in
      "primaries \(color.primaries.rawValue), transfer \(color.transfer.rawValue), "
        + "matrix \(color.matrix.rawValue), \(color.range.rawValue) range"
    }
    var faults: [Fault] = []
    for set in evidence.sequences {
      if set.color != .bt709 { faults.append(Fault(describe(set.color), at: set.location)) }
    }
    for box in track.videoEntry?.colors ?? [] {
      let color = ColorDescription(
        primaries: ColorPrimaries(rawValue: box.primaries),
        transfer: ColorTransfer(rawValue: box.transfer),
        matrix: ColorMatrix(rawValue: box.matrix),
        range: box.isFullRange.map { $0 ? .full : .limited } ?? .unspecified)
      if color != .bt709 {
        faults.append(Fault("\(box.type): \(describe(color))", at: box.location))
      }
    }
    if track.videoEntry?.colors.isEmpty != false {
      faults.append(Fault("no colr box", at: track.entry?.location))
    }
    faults += (track.videoEntry?.highRange ?? []).map {
      Fault("\($0.type), which tells of HDR", at: $0.location)
    }
    faults += messages { if case .color(let text) = $0 { text } else { nil } }
    return judge(
      .colorTags, found: describe(.bt709), allowed: describe(.bt709) + ", in SPS and colr",
      faults: faults)
  }
}
