internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// One job from the input to the committed payload.
struct Preparation: Sendable {
  let request: Request
  let preset: Preset
  let events: @Sendable (Event) -> Void
  /// Copies that were tried before and did not do.
  var refusals: [CopyRefusal] = []

  private var slug: String { request.slug ?? Slug.plain(for: request.input) }
  private var threads: Int { max(1, request.threads ?? Machine.cores) }

  /// A copy that does not do after all is made again as an encode.
  func run() async throws -> Payload {
    let clock = JobClock()
    do {
      return try await attempt(clock)
    } catch let refusal as CopyRefusal {
      return try await refusing(refusal).again(clock)
    }
  }

  private func again(_ clock: JobClock) async throws -> Payload {
    do {
      return try await attempt(clock)
    } catch let refusal as CopyRefusal {
      // There are two streams: the third attempt copies none.
      return try await refusing(refusal).attempt(clock)
    }
  }

  private func refusing(_ refusal: CopyRefusal) -> Preparation {
    var next = self
    next.refusals.append(refusal)
    return next
  }

  private func attempt(_ clock: JobClock) async throws -> Payload {
    if !request.overwrite,
      let path = try PayloadDirectory.existing(slug: slug, in: request.outputDirectory)
    {
      return try await existing(path)
    }
    var (info, plan) = try await Planning(
      request: request, preset: preset, refusals: refusals
    ).run()
    let path = request.outputDirectory.appending("\(slug).reel")
    if refusals.isEmpty {
      events(.planned(.init(input: request.input, payload: path, plan: plan)))
    }
    let inspectSeconds = clock.cpuSeconds

    let directory = try PayloadDirectory.begin(
      slug: slug, in: request.outputDirectory, overwrite: request.overwrite)
    try DiskSpace.require(plan.fileBytesBelow, at: request.outputDirectory)
    // What is quick to refuse is refused before minutes are spent.
    var sticker: StillFile?
    if let path = request.sticker {
      sticker = try await Sticker.prepared(path, for: request, preset)
    }
    if let sticker { try directory.write(sticker.bytes, as: sticker.name) }
    let loudness = try await loudness(info, plan)
    plan.audio.gain = loudness?.gain
    let file = directory.path(for: PayloadFile.video)
    let meter = ProgressMeter(
      input: request.input, frames: plan.video.frames, frameRate: plan.video.frameRate,
      events: events)
    let made = try await limited(plan) { [info, plan] in
      try await transcode(info, plan, to: file, meter: meter)
    }
    try refuseDamage(made.result, plan)
    let transcodeSeconds = clock.cpuSeconds - inspectSeconds - (made.draftSeconds ?? 0)

    try directory.write(made.result.cover.jpeg, as: PayloadFile.cover)
    let folder = directory.directory
    var names = [(PayloadFile.video, "video/mp4"), (PayloadFile.cover, "image/jpeg")]
    if let sticker { names.append((sticker.name, sticker.mediaType)) }
    // Two readers of the same file, side by side.
    async let hashed = blocking("hash") { [names] _ in
      try ManifestBuilder.files(names, in: folder)
    }
    let summary = try await verified(file, plan)
    let builder = ManifestBuilder(
      request: request, preset: preset, info: info, plan: plan, result: made.result,
      loudness: loudness, summary: summary, sticker: sticker, files: try await hashed)
    var manifest = try await blocking("manifest") { _ in try builder.manifest() }
    let cpu = clock.cpuSeconds
    let quality = made.rateFactor.map { QualityAdvice(plan: plan, rateFactor: $0) }
    manifest.work = Manifest.Work(
      framesEncoded: made.framesEncoded, framesOut: plan.video.frames,
      encodesPerFrame: made.framesEncoded / Double(plan.video.frames), cpuSeconds: cpu,
      wallSeconds: clock.wallSeconds, inspectCPUSeconds: inspectSeconds,
      transcodeCPUSeconds: transcodeSeconds,
      finishCPUSeconds: cpu - inspectSeconds - transcodeSeconds - (made.draftSeconds ?? 0),
      capShare: Double(summary.bytes.value) / Double(plan.fileBytesBelow.value),
      rateFactor: made.rateFactor, predictedVMAF: quality?.vmaf,
      draftCPUSeconds: made.draftSeconds)
    if let warning = quality?.warning { manifest.warnings.append(warning) }
    try Task.checkCancellation()
    try directory.write(try ManifestFile.encode(manifest), as: Manifest.fileName)
    switch try directory.commit() {
    case .committed(let path):
      meter.finished()
      return Payload(path: path, manifest: manifest, existed: false)
    case .existed(let path): return try await existing(path)
    }
  }

  private func existing(_ path: FilePath) async throws -> Payload {
    let manifest = try await blocking("existing payload") { [request] _ in
      try ExistingPayload.manifest(at: path, of: request)
    }
    return Payload(path: path, manifest: manifest, existed: true)
  }

  // MARK: The file

  /// A job is given this many seconds, and as many again for each second of its window: a hundred times
  /// what 4K takes on one core.
  private static let (startSeconds, secondsPerSecond) = (120.0, 120.0)

  private func limited<R: Sendable>(
    _ plan: Plan, _ body: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    let seconds = Self.startSeconds + Self.secondsPerSecond * plan.window.duration.doubleValue
    let name = request.input.lastComponent
    return try await withThrowingTaskGroup(of: R.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: .seconds(seconds))
        throw PrepError(
          code: .timeLimit,
          sentence: "\(name) took more than \(Int(seconds)) s, which no video of "
            + "\(plan.window.duration.decimals(0)) s should; take less of it, or use --effort fast",
          blame: .input)
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw CancellationError() }
      return first
    }
  }

  private func transcode(
    _ info: MediaInfo, _ plan: Plan, to file: FilePath, meter: ProgressMeter
  ) async throws -> Production.Made {
    guard let survey = info.video else { throw TranscodeError.noFrames }
    let recipe = recipe(survey, plan)
    // A copy takes no time, and what is begun again must not go back.
    let isCopy = plan.video.copy != nil
    let job = job(plan, recipe, to: file) { if !isCopy { meter.encoded($0) } }
    let made = try await translatingErrors {
      try await Production(
        job: job, plan: plan, survey: survey, recipe: recipe,
        begins: { meter.begin($0, frames: $1) },
        accept: { try accept($0) }
      ).run()
    }
    if let factor = made.rateFactor { try accept(QualityAdvice(plan: plan, rateFactor: factor)) }
    guard try FileSystem.bytes(of: file) < plan.fileBytesBelow else {
      if isCopy { throw CopyRefusal(.video, .fileSize, "a copy would be too large") }
      if plan.audio.copy != nil {
        throw CopyRefusal(.audio, .fileSize, "a copy leaves too little for the picture")
      }
      throw PrepError(
        code: .program,
        sentence: "\(request.input.lastComponent) did not fit below \(plan.fileBytesBelow); "
          + "allow more, or ask for less time", blame: .program)
    }
    return made
  }

  /// What is to be done to the sound's loudness: what is asked for, and mixed tracks may not clip.
  private func loudness(_ info: MediaInfo, _ plan: Plan) async throws -> LoudnessChange? {
    guard request.loudness != nil || plan.audio.streams.count > 1, let survey = info.video else {
      return nil
    }
    var job = job(plan, recipe(survey, plan), to: request.outputDirectory) { _ in }
    return try await translatingErrors {
      guard let source = try await job.loudness() else { return nil }
      var gain = request.loudness.map { source.gain(to: $0) } ?? source.attenuation
      // Where peaks come near the limit, it is what the encoder makes of them that counts.
      if source.truePeak + gain > Loudness.truePeakLimit - Self.codecDecibels {
        for _ in 0..<Self.peakTrials {
          job.audio.gain = gain
          guard let coded = try await job.loudness(encoded: true), coded.attenuation < 0 else {
            break
          }
          gain += coded.attenuation - Self.peakStep
        }
      }
      guard request.loudness != nil || gain < 0 else { return nil }
      return LoudnessChange(source: source, target: request.loudness, gain: gain)
    }
  }

  /// Decibels: more than an encoder adds to a peak, and how much each trial goes below what it has found.
  private static let (codecDecibels, peakStep) = (3.0, 0.05)
  private static let peakTrials = 4

  private func recipe(_ survey: VideoSurvey, _ plan: Plan) -> FilterRecipe {
    FilterRecipe(plan.video, planned: PictureFormat(survey), hasZscale: Machine.hasZscale)
  }

  private func job(
    _ plan: Plan, _ recipe: FilterRecipe, to file: FilePath,
    progress: @escaping @Sendable (Int) -> Void
  ) -> Transcode {
    Transcode(
      input: request.input, output: file, video: plan.video, audio: plan.audio, cover: plan.cover,
      threads: threads, recipe: { recipe.recipe(for: $0) }, progress: progress)
  }

  /// What `run` would make of this plan, foreseen from a draft; nothing is written.
  func prediction(_ info: MediaInfo, _ plan: Plan) async throws -> Prediction {
    guard let survey = info.video else { throw TranscodeError.noFrames }
    if let copy = plan.video.copy { return prediction(plan, copy) }
    let meter = ProgressMeter(
      input: request.input, frames: plan.video.frames, frameRate: plan.video.frameRate,
      events: events)
    let recipe = recipe(survey, plan)
    let job = job(plan, recipe, to: request.outputDirectory) { meter.encoded($0) }
    return try await translatingErrors {
      try await Production(
        job: job, plan: plan, survey: survey, recipe: recipe,
        begins: { meter.begin($0, frames: $1) }
      ).prediction()
    }
  }

  private func prediction(_ plan: Plan, _ copy: VideoCopy) -> Prediction {
    let sound = Double(plan.audio.bitRate.value) / 8 * plan.window.duration.doubleValue
    let container = ContainerSize(
      frames: plan.video.frames, frameRate: plan.video.frameRate,
      audioPackets: Int(plan.audio.samples / AudioPacket.samples) + 1,
      sampleRate: plan.audio.sampleRate
    ).bytes
    return Prediction(
      bytes: ByteCount(copy.bytes + Int64(sound) + Int64(container)), rateFactor: 0, vmaf: 100,
      capBinds: false)
  }

  /// - Throws: `PrepError` where the quality is below what is asked for.
  private func accept(_ quality: QualityAdvice) throws(PrepError) {
    guard let least = request.minQuality, quality.vmaf < least else { return }
    let advice = quality.warning.map { ": \($0.sentence)" } ?? "; allow more with --max-size"
    throw PrepError(
      code: .lowQuality,
      sentence: "\(request.input.lastComponent) would have a VMAF of about "
        + "\(Int(quality.vmaf.rounded())), and --min-quality asks for \(Int(least.rounded()))\(advice)",
      blame: .input)
  }

  private func translatingErrors<R: Sendable>(
    _ body: () async throws -> R
  ) async throws -> R {
    do {
      return try await body()
    } catch let error as FFmpegError {
      try Task.checkCancellation()
      throw PrepError(
        transcoding: request.input.lastComponent.description, output: request.outputDirectory,
        error)
    } catch TranscodeError.noFrames {
      throw PrepError(
        code: .damaged,
        sentence: "no frame of \(request.input.lastComponent) inside the window can be decoded; "
          + "choose another part of it, or export it again", blame: .input)
    } catch TranscodeError.notExact {
      throw CopyRefusal(
        .video, .decodable, "frames of the source are damaged, so that a copy would not do")
    } catch TranscodeError.soundNotExact {
      throw CopyRefusal(
        .audio, .decodable, "packets of the source are damaged, so that a copy would not do")
    } catch let error as TranscodeError {
      throw PrepError(
        code: .program,
        sentence:
          "\(request.input.lastComponent) was not written whole (\(error)); this is a bug of "
          + "reels-prep: please report it", blame: .program)
    }
  }

  private func refuseDamage(_ result: Transcode.Result, _ plan: Plan) throws(PrepError) {
    let share = Double(result.framesConcealed) / Double(plan.video.frames)
    let limit = preset.limits.concealedShareMaximum.value
    guard share > limit else { return }
    throw PrepError(
      code: .damaged,
      sentence: "\(request.input.lastComponent) is damaged: \(result.framesConcealed) of "
        + "\(plan.video.frames) frames had to be concealed, more than \(Int(limit * 100)) "
        + "%; choose another part of it, or export it again", blame: .input)
  }

  // MARK: The check

  private func verified(_ file: FilePath, _ plan: Plan) async throws -> Verification.Summary {
    let preset = preset
    // What is copied was whole where it was looked at, and every bit of it is the source's.
    let (isCopy, hasCopy) = (
      plan.video.copy != nil, plan.video.copy != nil || plan.audio.copy != nil
    )
    var facts: DecodedFacts?
    do {
      if !isCopy {
        facts = try await OutputDecoder(file: file, duration: plan.window.duration).facts()
      }
    } catch let error as FFmpegError {
      try Task.checkCancellation()
      throw discarded("it cannot be decoded: \(error)")
    }
    return try await blocking("check") { [facts] _ in
      let report = try Verification(
        preset: preset,
        expected: Expectation(frames: plan.video.frames, fileBytesBelow: plan.fileBytesBelow)
      ).check(file, decoded: facts)
      guard let summary = report.summary, report.failures.isEmpty else {
        if hasCopy, let failure = report.failures.first {
          throw CopyRefusal(
            isCopy && !Self.soundRules.contains(failure.rule) ? .video : .audio, failure.rule,
            "a copy would have \(failure.found)")
        }
        throw discarded(report.failures.map(\.description).joined(separator: "; "))
      }
      return summary
    }
  }

  private static let soundRules: Set<Rule> = [
    .audioCodec, .audioSampleRate, .audioChannels, .audioBitRate,
  ]

  private func discarded(_ failures: String) -> PrepError {
    PrepError(
      code: .verification,
      sentence:
        "the file made from \(request.input.lastComponent) breaks a rule and was discarded: "
        + "\(failures). This is a bug of reels-prep: please report it", blame: .program)
  }
}

/// Runs blocking work on a thread of its own, stopped through its interrupt.
func blocking<Value: Sendable>(
  _ name: String, _ body: @escaping @Sendable (Interrupt) throws -> Value
) async throws -> Value {
  let interrupt = Interrupt()
  return try await StageExecutor.run(
    name, onCancel: { interrupt.request() }, { try body(interrupt) })
}
