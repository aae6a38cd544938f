internal import ReelsModel
internal import ReelsPrep

/// What a file is, for people.
enum InfoText {
  static func lines(_ info: MediaInfo) -> [String] {
    let length = info.claimedDuration.map { ", \($0) s by its header" } ?? ""
    var lines = ["\(info.path): \(info.container), \(info.bytes)\(length)".singleLine]
    for track in info.videoTracks {
      lines.append("  video \(track.index): \(text(track))")
      if let survey = info.video, survey.track.index == track.index {
        lines += text(survey).map { "    \($0)" }
      }
    }
    for (index, track) in info.audioTracks.enumerated() {
      lines.append("  audio \(track.index): \(text(track, info.audio.dropFirst(index).first))")
    }
    if !info.otherTracks.isEmpty {
      lines.append("  others: \(info.otherTracks.joined(separator: ", "))")
    }
    return lines.map(\.singleLine)
  }

  /// A codec that is known may have a kind that no decoder here takes.
  private static func codec(_ name: String, _ tag: String, _ isDecodable: Bool) -> String {
    if isDecodable { return name }
    return tag.isEmpty || tag == name ? "\(name), not decodable" : "\(name) (\(tag)), not decodable"
  }

  private static func text(_ track: VideoTrack) -> String {
    let codec = self.codec(track.codec, track.tag, track.isDecodable)
    let profile = track.profile.map { " \($0)" } ?? ""
    return "\(codec)\(profile), \(track.size)\(track.isDefault ? ", default" : "")"
  }

  private static func text(_ survey: VideoSurvey) -> [String] {
    let aspect = survey.sampleAspect == Ratio(1) ? "" : ", pixels \(survey.sampleAspect)"
    let scan = survey.isInterlaced ? "interlaced" : "progressive"
    let rate: String
    if let constant = survey.constantRate {
      rate = "\(ResultLine.rate(constant)) fps, constant"
    } else if let median = survey.medianInterval?.seconds.inverted {
      rate = "about \(ResultLine.rate(median)) fps, variable"
    } else {
      rate = "rate unknown"
    }
    let color = survey.color
    let kind =
      color.transfer == .pq ? "PQ, " : color.transfer == .hlg ? "HLG, " : ""
    let vision = survey.dolbyVisionProfile.map { ", Dolby Vision profile \($0)" } ?? ""
    return [
      "\(survey.codedSize)\(aspect), shown as \(survey.displaySize), \(survey.orientation)",
      "\(rate), \(scan)",
      "\(survey.pixelFormat.name), \(kind)\(color.range.rawValue) range, primaries"
        + " \(color.primaries.rawValue), transfer \(color.transfer.rawValue),"
        + " matrix \(color.matrix.rawValue)\(vision)",
    ]
  }

  private static func text(_ track: AudioTrack, _ survey: AudioSurvey?) -> String {
    let codec = self.codec(track.codec, track.tag, track.isDecodable)
    var parts = [
      codec + (track.profile.map { " \($0)" } ?? ""), "\(track.sampleRate) Hz",
      track.channelLayout.isEmpty ? PlanText.channels(track.channels) : track.channelLayout,
    ]
    if let language = track.language, language != "und" { parts.append(language) }
    if track.isDefault { parts.append("default") }
    if survey?.isSilent == true { parts.append("silent") }
    return parts.joined(separator: ", ")
  }
}
