internal import ReelsModel

/// What is to be said of a rule besides what was found: where it is from, what breaking it costs, and what
/// to do.
struct RuleBook {
  let preset: Preset
  /// The preset as it was typed; nil where it was not.
  let presetName: String?
  /// What was checked, as it is typed.
  let subject: FilePath
  let isPayload: Bool

  /// - Returns: the finding with all that belongs to it.
  func entry(_ finding: Finding) -> CheckedRule {
    let isKept = finding.verdict == .pass
    return CheckedRule(
      rule: finding.rule, verdict: finding.verdict, found: finding.found, allowed: finding.allowed,
      location: finding.location, source: source(of: finding.rule),
      subcode: isKept ? nil : Self.subcode(of: finding),
      remedy: isKept ? nil : remedy(for: finding))
  }

  // MARK: Source

  private func source(of rule: Rule) -> String {
    let limits = preset.limits
    let key: String? =
      switch rule {
      case .duration: limits.durationSeconds.source
      case .fileSize: limits.fileBytesBelow.source
      case .videoCodec: limits.videoCodecs.source
      case .videoProfile: limits.videoProfiles.source
      case .frameSize: (limits.leastSize ?? limits.canvas).source
      case .columns: limits.columnsMaximum.source
      case .aspect: limits.aspect.source
      case .frameRate: limits.frameRate.source
      case .closedGOP: limits.gopSecondsMaximum.source
      case .peakBitRate: limits.peakBitsPerSecond.source
      case .audioCodec: limits.audioCodecs.source
      case .audioSampleRate: limits.audioSampleRateMaximum.source
      case .audioChannels: limits.audioChannels.source
      case .audioBitRate: limits.audioBitsPerSecond.source
      case .noEditList: limits.editListsAllowed.source
      case .moovFirst: limits.moovFirst.source
      case .cover: limits.coverBytesMaximum.source
      case .sticker: limits.stickerSize.source
      case .background: (limits.leastSize ?? limits.canvas).source
      case .container, .pixelFormat, .progressive: "graph"
      case .videoLevel: nil
      default: "own"
      }
    guard let key else { return "ITU-T H.264, annex A; of level 5.2 at most by docs/presets.md" }
    let source = preset.sources[key] ?? preset.source
    return "\(source.title), \(source.date): \(source.page)".singleLine
  }

  // MARK: Subcode

  /// Meta, Instagram Platform, error codes.
  private static let (unsupported, badAspect, imageTooLarge, badImage, uploadFailed) =
    (2_207_026, 2_207_009, 2_207_004, 2_207_005, 2_207_082)

  private static func subcode(of finding: Finding) -> Int? {
    switch finding.rule {
    case .aspect: badAspect
    case .cover: finding.found.hasSuffix("B") ? imageTooLarge : badImage
    // Seen for a file without sound; others are not known.
    case .tracks: finding.found.hasPrefix("no audio") ? uploadFailed : nil
    case .container, .moovFirst, .noEditList, .noFragments, .fileSize, .duration, .videoCodec,
      .videoProfile, .videoLevel, .pixelFormat, .progressive, .columns, .frameRate, .closedGOP,
      .peakBitRate, .audioCodec, .audioSampleRate, .audioChannels, .decodable:
      unsupported
    default: nil
    }
  }

  // MARK: Remedy

  private func remedy(for finding: Finding) -> String {
    // A payload is made again from what it was made of.
    var command =
      isPayload
      ? "reels-prep SOURCE -o DIR --overwrite" : "reels-prep \(Self.quoted(subject.string)) -o DIR"
    if let presetName { command += " --preset \(Self.quoted(presetName))" }
    switch finding.rule {
    case .duration where isShort(finding): command += " --short loop"
    // What is left of a file that was cut may be short; a longer one is not changed by it.
    case .container where finding.found.contains("bytes of mdat"): command += " --short loop"
    // Sound that breaks an advice alone is copied where nobody asks for more.
    case .audioBitRate where finding.verdict == .advised, .audioPriming:
      command += " --reencode"
    case .aspect: command += " --fit pad"
    case .frameSize where preset.limits.leastSize != nil: command += " --fit pad"
    case .background: command += " --fit pad"
    default: break
    }
    return command
  }

  /// Whether the first stream lasts less than it must.
  private func isShort(_ finding: Finding) -> Bool {
    let number = finding.found.prefix { $0.isNumber || $0 == "." }
    return Double(number).map { $0 < preset.limits.durationSeconds.value.minimum } ?? false
  }

  /// For a shell.
  static func quoted(_ text: String) -> String {
    let isPlain = text.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./+,:@%".contains($0))
    }
    if isPlain, !text.isEmpty { return text.hasPrefix("-") ? "./\(text)" : text }
    return "'\(text.replacing("'", with: "'\\''"))'"
  }
}
