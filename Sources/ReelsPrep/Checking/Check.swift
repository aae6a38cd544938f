internal import ReelsFFmpeg
public import ReelsModel

/// Checks finished files, whoever made them, and payloads by the rules of a preset.
///
/// Reads boxes and bitstreams by a reader of its own, which shares nothing with what writes files, and
/// decodes nothing unless it is asked to.
public struct Check: Sendable {
  /// The preset's name or file; nil is a payload's own, and the default for a file.
  public var preset: String?
  /// Whether the whole file is decoded as well.
  public var isDeep: Bool

  public init(preset: String? = nil, isDeep: Bool = false) {
    self.preset = preset
    self.isDeep = isDeep
  }

  /// Frames of another tool's file may lie so far off: contract.md, "Copying".
  private static let tolerance = MediaTime(seconds: Ratio(1, 1_000))

  /// Checks a file, or a payload's directory.
  ///
  /// - Throws: `PrepError` where it cannot be read at all, or `CancellationError`.
  public func run(_ path: FilePath) async throws -> CheckReport {
    if try InputFile.status(of: path).kind == .directory { return try await payload(path) }
    let preset = try Presets.load(preset ?? Self.defaultPreset)
    let findings = try await file(path, preset, Expectation(intervalTolerance: Self.tolerance))
    return report(path, preset, findings, isPayload: false)
  }

  private static let defaultPreset = "reels"

  private func report(
    _ path: FilePath, _ preset: Preset, _ findings: [Finding], isPayload: Bool
  ) -> CheckReport {
    let book = RuleBook(
      preset: preset, presetName: self.preset, subject: path, isPayload: isPayload)
    return CheckReport(
      file: path, preset: preset.name, revision: preset.revision,
      rules: findings.map { book.entry($0) })
  }

  // MARK: File

  private func file(
    _ path: FilePath, _ preset: Preset, _ expected: Expectation
  ) async throws -> [Finding] {
    let findings = try await blocking("check") { _ in
      do throws(VerificationError) {
        return try Verification(preset: preset, expected: expected).findings(for: path)
      } catch {
        return [try Self.otherContainer(path, error)]
      }
    }
    guard isDeep, findings.contains(where: { $0.rule == .tracks }) else { return findings }
    let facts: DecodedFacts
    do {
      facts = try await decoded(path)
    } catch let error as PrepError {
      return findings + [
        Finding(
          rule: .decodable, verdict: .fail, found: error.sentence, allowed: "every frame, no errors"
        )
      ]
    }
    return try await blocking("check") { _ in
      try Verification(preset: preset, expected: expected).findings(for: path, decoded: facts)
    }
  }

  /// What is media of another kind breaks the rule of containers; what is none cannot be read.
  private static func otherContainer(
    _ path: FilePath, _ error: VerificationError
  ) throws(PrepError) -> Finding {
    let head: [UInt8]
    do throws(FileError) {
      head = try OpenFile.open(path, for: .reading).read(MediaSniffer.headBytes)
    } catch {
      throw error.prepError(blame: .input)
    }
    guard let name = otherName(head) else {
      // Its boxes were found, and contradict each other.
      if let contradiction = error.contradiction {
        return Finding(
          rule: .container, verdict: .fail, found: contradiction.sentence,
          allowed: "tables and boxes that agree with each other", location: contradiction.location)
      }
      throw PrepError(code: .notMedia, sentence: error.sentence, blame: .input)
    }
    return Finding(
      rule: .container, verdict: .fail, found: name, allowed: "an MP4 brand, samples inside mdat",
      location: "byte 0")
  }

  /// Video containers that are no MP4, by their first bytes.
  private static func otherName(_ head: [UInt8]) -> String? {
    func starts(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: bytes)
    }
    if starts([0x1A, 0x45, 0xDF, 0xA3]) { return "Matroska or WebM" }
    if starts(Array("RIFF".utf8)), starts(Array("AVI ".utf8), at: 8) { return "AVI" }
    if starts(Array("FLV".utf8)) { return "Flash Video" }
    if starts(Array("OggS".utf8)) { return "Ogg" }
    if starts([0x30, 0x26, 0xB2, 0x75]) { return "ASF" }
    if starts([0x47]), starts([0x47], at: 188) { return "an MPEG transport stream" }
    if starts([0, 0, 1, 0xBA]) { return "an MPEG program stream" }
    return nil
  }

  private func decoded(_ path: FilePath) async throws -> DecodedFacts {
    do {
      // From the start on: another tool's file may not be entered in its middle.
      return try await OutputDecoder(file: path, duration: .zero).facts()
    } catch let error as FFmpegError {
      try Task.checkCancellation()
      throw PrepError(reading: path.lastComponent.description, error)
    }
  }

  // MARK: Payload

  private func payload(_ path: FilePath) async throws -> CheckReport {
    let manifest: Manifest
    do throws(PrepError) {
      guard
        try Self.has(path.appending(Manifest.fileName))
      else {
        throw PrepError(
          code: .notAFile,
          sentence: "\(path) is a folder without \(Manifest.fileName), so it is no payload; "
            + "name files one by one", blame: .input)
      }
      manifest = try ManifestFile.read(in: path)
    } catch {
      throw error
    }
    let preset = try presetOfPayload(path, manifest)
    let check = PayloadCheck(directory: path, manifest: manifest, limits: preset.limits)
    var findings = try await blocking("check") { _ in try check.findings() }
    if let video = PayloadFile.video(in: manifest.files) {
      let videoPath = path.appending(video.name)
      do {
        findings += try await file(
          videoPath, preset,
          Expectation(frames: manifest.video?.frames, intervalTolerance: Self.tolerance))
        let summary = try await blocking("check") { _ in
          try? Verification(preset: preset).check(videoPath).summary
        }
        // A file that is another than the manifest says has its own finding.
        if findings.first?.verdict == .pass, let summary, let stated = manifest.video,
          let index = findings.firstIndex(where: { $0.rule == .manifest })
        {
          findings[index] = Self.manifest(findings[index], stated, summary)
        }
      } catch let error as PrepError {
        // What is told of the rest still holds.
        findings.append(
          Finding(
            rule: .container, verdict: .fail, found: error.sentence,
            allowed: "an MP4 that can be read",
            location: video.name))
      }
    }
    return report(path, preset, findings, isPayload: true)
  }

  /// The finding of the manifest, beside what the video is: frames have a rule of their own.
  private static func manifest(
    _ finding: Finding, _ stated: Manifest.Video, _ real: Verification.Summary
  ) -> Finding {
    guard finding.verdict == .pass else { return finding }
    let pairs: [(String, String, String)] = [
      ("width", "\(stated.width)", "\(real.size.width)"),
      ("height", "\(stated.height)", "\(real.size.height)"),
      ("frameRate", "\(stated.frameRate)", "\(real.frameRate)"),
      (
        "durationSeconds", stated.durationSeconds.decimals(3), real.duration.decimals(3)
      ),
      ("videoCodec", stated.videoCodec, real.videoCodec),
      ("profile", stated.profile, real.profile),
      ("level", stated.level, real.level),
      ("audioCodec", stated.audioCodec, real.audioCodec),
      ("sampleRate", "\(stated.sampleRate)", "\(real.sampleRate)"),
      ("channels", "\(stated.channels)", "\(real.channels)"),
      ("bitRate", "\(stated.bitRate)", "\(real.bitRate)"),
    ]
    guard let (key, said, found) = pairs.first(where: { $0.1 != $0.2 }) else { return finding }
    return Finding(
      rule: .manifest, verdict: .fail, found: "\(said) where the video has \(found)".singleLine,
      allowed: "what the video is", location: "\(Manifest.fileName), video.\(key)")
  }

  /// A payload's own preset, by the rules of today, where it is a built-in one.
  private func presetOfPayload(_ path: FilePath, _ manifest: Manifest) throws(PrepError) -> Preset {
    if let preset { return try Presets.load(preset) }
    let name = manifest.preset.name
    guard Presets.names.contains(name) else {
      throw PrepError(
        code: .badPreset,
        sentence:
          "\(path) was made by the preset \(name), which is not built in; name one with --preset",
        blame: .input)
    }
    return try Presets.load(name)
  }

  private static func has(_ path: FilePath) throws(PrepError) -> Bool {
    do throws(FileError) {
      return try FileSystem.status(path) != nil
    } catch {
      throw error.prepError(blame: .input)
    }
  }
}
