internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Writes down what was made, from what, why, and how it is handed over.
struct ManifestBuilder: Sendable {
  let request: Request
  let preset: Preset
  let info: MediaInfo
  let plan: Plan
  let result: Transcode.Result
  let loudness: LoudnessChange?
  let summary: Verification.Summary
  let sticker: StillFile?
  /// Of the payload, with their hashes (`files(_:in:)`).
  let files: [Manifest.File]

  /// `work` is filled in by the caller.
  ///
  /// - Throws: `PrepError` where a file cannot be read.
  func manifest() throws -> Manifest {
    let video = Manifest.Video(
      width: summary.size.width, height: summary.size.height, frameRate: plan.video.frameRate,
      frames: summary.frames, durationSeconds: plan.window.duration,
      videoCodec: summary.videoCodec, profile: summary.profile, level: summary.level,
      audioCodec: summary.audioCodec, sampleRate: summary.sampleRate, channels: summary.channels,
      bitRate: summary.bitRate)
    let cover = Manifest.Cover(
      file: PayloadFile.cover,
      timeSeconds: MediaTime(seconds: Ratio(Int64(result.cover.frame)) / plan.video.frameRate))
    let share = ShareBuilder(
      files: files, video: video, coverTime: cover.timeSeconds, appID: request.appID)
    let work = Manifest.Work(
      framesEncoded: 0, framesOut: 0, encodesPerFrame: 0, cpuSeconds: 0, wallSeconds: 0,
      inspectCPUSeconds: 0, transcodeCPUSeconds: 0, finishCPUSeconds: 0, capShare: 0)
    return Manifest(
      tool: .init(name: "reels-prep", version: ReelsPrep.version),
      preset: .init(preset), files: files, video: video, cover: cover, window: plan.window,
      pick: plan.pick,
      part: request.part, source: try source(),
      steps: plan.steps + stickerSteps,
      warnings: plan.warnings + damageWarnings + loudnessWarnings + (sticker?.warnings ?? []),
      damage: .init(
        framesConcealed: result.framesConcealed,
        share: Double(result.framesConcealed) / Double(max(1, plan.video.frames)),
        framesExamined: result.framesExamined),
      loudness: loudness, share: share.shares(requested: preset.destination), work: work)
  }

  /// Reads a payload's files for their hashes.
  ///
  /// - Throws: `PrepError` where a file cannot be read.
  static func files(
    _ names: [(name: String, mediaType: String)], in directory: FilePath
  ) throws -> [Manifest.File] {
    try names.map { name, mediaType in
      let path = directory.appending(name)
      let digest = try Digest()
      do throws(FileError) {
        try FileSystem.readChunks(path) { digest.update($0) }
        return Manifest.File(
          name: name, bytes: try FileSystem.status(path)?.bytes.value ?? 0,
          sha256: digest.finish(), mediaType: mediaType)
      } catch {
        throw error.prepError(blame: .output)
      }
    }
  }

  private func source() throws -> Manifest.Source {
    let survey = info.video
    let used = info.audioTracks.first { plan.audio.streams.contains($0.index) }
    return Manifest.Source(
      name: request.input.lastComponent.string, bytes: info.bytes.value,
      fingerprint: try Manifest.Fingerprint(of: request.input),
      container: info.container, videoCodec: survey?.track.codec ?? "",
      size: survey?.codedSize ?? PixelSize(width: 0, height: 0),
      sampleAspect: survey?.sampleAspect ?? Ratio(1), orientation: survey?.orientation ?? .upright,
      pixelFormat: survey?.pixelFormat.name ?? "", color: survey?.color ?? ColorDescription(),
      interlaced: survey?.isInterlaced ?? false, constantFrameRate: survey?.constantRate,
      audioCodec: used?.codec, audioTracks: info.audioTracks.count)
  }

  private var stickerSteps: [Plan.Step] {
    sticker.map { [StoryPreparation.step(.sticker, "\($0.name) of \($0.size)")] } ?? []
  }

  private var loudnessWarnings: [Warning] {
    guard let loudness, let target = loudness.target, target - loudness.result > Self.quieter else {
      return []
    }
    return [
      Warning(
        code: "loudness-limited",
        sentence: "the sound is \(Self.tenths(loudness.result)) LUFS, not \(Self.tenths(target)): "
          + "more would lift its peaks above \(Int(Loudness.truePeakLimit)) dBTP")
    ]
  }

  /// LU; less is not heard.
  private static let quieter = 0.5

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  private var damageWarnings: [Warning] {
    var warnings: [Warning] = []
    if result.framesConcealed > 0 {
      warnings.append(
        Warning(
          code: "video-damage",
          sentence: "\(result.framesConcealed) of \(plan.video.frames) frames are damaged in the "
            + "source and were concealed"))
    }
    if result.audioPacketsLost > 0 {
      warnings.append(
        Warning(
          code: "audio-damage",
          sentence:
            "\(result.audioPacketsLost) packets of sound are damaged in the source; they are "
            + "silent"))
    }
    return warnings
  }
}
