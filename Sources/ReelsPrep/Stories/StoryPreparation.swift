internal import ReelsFFmpeg
public import ReelsModel

/// One job from a picture, or from a sticker alone, to the payload of a story without a video.
struct StoryPreparation: Sendable {
  let request: Request
  let preset: Preset
  let events: @Sendable (Event) -> Void

  private var slug: String { request.slug ?? Slug.plain(for: request.input) }

  /// Whether a request is for such a story.
  ///
  /// A picture's name does not matter. A file that cannot be read is none: what it is for says why.
  ///
  /// - Throws: `PrepError` for what does not go together.
  static func applies(to request: Request, _ preset: Preset) throws(PrepError) -> Bool {
    guard request.background == .input else {
      if !preset.takesStoryWithoutVideo {
        throw refused("a sticker without a video", "use --destination stories")
      }
      if request.sticker != nil {
        throw refused(
          "a second sticker", "give a picture or a video for what is behind the sticker")
      }
      return true
    }
    guard preset.takesStoryWithoutVideo, let kind = try? MediaSniffer.kind(of: request.input) else {
      return false
    }
    return kind == .still
  }

  private static func refused(_ what: String, _ wayOut: String) -> PrepError {
    PrepError(
      code: .badOption, sentence: "no destination takes \(what); \(wayOut)", blame: .input)
  }

  // MARK: The plan

  /// - Throws: `PrepError` for what is no picture, or does not do; `CancellationError`.
  func plan() async throws -> StoryPlan {
    let (request, preset) = (request, preset)
    return try await blocking("story plan") { interrupt in
      guard request.background == .input else {
        let reader = StillReader(path: request.input, use: .sticker, interrupt: interrupt)
        _ = try reader.source()
        return StoryPlan(geometry: nil, steps: [Self.step(.sticker, "the sticker")])
      }
      let geometry = try StoryPicture(request: request, preset: preset, interrupt: interrupt)
        .geometry()
      var steps = [Self.step(.background, "the picture, as \(geometry.canvas)")]
      if request.sticker != nil { steps.append(Self.step(.sticker, "the sticker")) }
      return StoryPlan(geometry: geometry, steps: steps)
    }
  }

  /// What the input is, as far as it is told without decoding it.
  ///
  /// - Throws: as `plan`.
  func inspect() async throws -> MediaInfo {
    let request = request
    return try await blocking("inspect") { interrupt in
      let source = try Self.source(of: request, interrupt)
      return MediaInfo(
        path: request.input, bytes: try InputFile.check(request.input),
        container: "\(source.codec)", claimedDuration: nil, videoTracks: [], audioTracks: [],
        otherTracks: ["a picture of \(Self.shown(source))"], video: nil, audio: [])
    }
  }

  private static func source(
    of request: Request, _ interrupt: Interrupt
  ) throws -> StillSource {
    try StillReader(
      path: request.input, use: request.background == .input ? .picture : .sticker,
      interrupt: interrupt
    ).source()
  }

  private static func shown(_ source: StillSource) -> PixelSize {
    source.orientation.exchangesSides ? source.size.turned : source.size
  }

  // MARK: The payload

  func run() async throws -> Payload {
    let clock = JobClock()
    if !request.overwrite,
      let path = try PayloadDirectory.existing(slug: slug, in: request.outputDirectory)
    {
      return try await existing(path)
    }
    let plan = try await plan()
    let path = request.outputDirectory.appending("\(slug).reel")
    events(.planned(.init(input: request.input, payload: path, story: plan)))
    let directory = try PayloadDirectory.begin(
      slug: slug, in: request.outputDirectory, overwrite: request.overwrite)
    let pictures = try await pictures()
    let bytes = pictures.all.reduce(0) { $0 + Int64($1.bytes.count) }
    try DiskSpace.require(ByteCount(bytes), at: request.outputDirectory)
    for picture in pictures.all { try directory.write(picture.bytes, as: picture.name) }
    var manifest = try await manifest(plan, pictures, in: directory.directory)
    manifest.work.cpuSeconds = clock.cpuSeconds
    manifest.work.wallSeconds = clock.wallSeconds
    try Task.checkCancellation()
    try directory.write(try ManifestFile.encode(manifest), as: Manifest.fileName)
    switch try directory.commit() {
    case .committed(let path):
      events(
        .progress(
          .init(input: request.input, fraction: 1, frames: 0, speed: 0, secondsLeft: 0)))
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

  private struct Pictures: Sendable {
    var background: StillFile?
    var sticker: StillFile?

    var all: [StillFile] { [background, sticker].compactMap { $0 } }
  }

  private func pictures() async throws -> Pictures {
    let (request, preset) = (request, preset)
    guard request.background == .input else {
      return Pictures(
        sticker: try await Sticker.prepared(request.input, for: request, preset))
    }
    let background = try await blocking("picture") { interrupt in
      try StoryPicture(request: request, preset: preset, interrupt: interrupt).made()
    }
    guard let sticker = request.sticker else { return Pictures(background: background) }
    return Pictures(
      background: background, sticker: try await Sticker.prepared(sticker, for: request, preset))
  }

  // MARK: The manifest

  /// - Throws: `PrepError` where what was written is not as it should be.
  private func manifest(
    _ plan: StoryPlan, _ pictures: Pictures, in directory: FilePath
  ) async throws -> Manifest {
    let (request, preset) = (request, preset)
    return try await blocking("manifest") { interrupt in
      let files = try ManifestBuilder.files(
        pictures.all.map { ($0.name, $0.mediaType) }, in: directory)
      let background = Self.background(request, pictures)
      let share = ShareBuilder(files: files, background: background, appID: request.appID)
      let source = try Self.source(of: request, interrupt)
      let manifest = Manifest(
        tool: .init(name: "reels-prep", version: ReelsPrep.version),
        preset: .init(preset), files: files, video: nil, cover: nil, window: nil,
        background: background, source: try Self.manifestSource(request, source),
        steps: Self.steps(pictures), warnings: plan.warnings + pictures.all.flatMap(\.warnings),
        damage: .init(framesConcealed: 0, share: 0),
        share: share.shares(requested: preset.destination),
        work: Manifest.Work(
          framesEncoded: 0, framesOut: 0, encodesPerFrame: 0, cpuSeconds: 0, wallSeconds: 0,
          inspectCPUSeconds: 0, transcodeCPUSeconds: 0, finishCPUSeconds: 0, capShare: 0))
      try Self.verify(manifest, preset, directory, of: request)
      return manifest
    }
  }

  private static func background(_ request: Request, _ pictures: Pictures) -> Manifest.Background? {
    switch request.background {
    case .input: pictures.background.map { .init(file: $0.name, size: $0.size) }
    case .colors(let top, let bottom): .init(topColor: top.hashed, bottomColor: bottom.hashed)
    case .unspecified: nil
    }
  }

  private static func manifestSource(
    _ request: Request, _ source: StillSource
  ) throws -> Manifest.Source {
    Manifest.Source(
      name: request.input.lastComponent.string, bytes: try InputFile.check(request.input).value,
      fingerprint: try Manifest.Fingerprint(of: request.input), container: "\(source.codec)",
      videoCodec: "\(source.codec)", size: source.size, sampleAspect: Ratio(1),
      orientation: source.orientation, pixelFormat: "", color: ColorDescription(),
      interlaced: false, constantFrameRate: nil, audioCodec: nil, audioTracks: 0)
  }

  private static func steps(_ pictures: Pictures) -> [Plan.Step] {
    [(Plan.Step.Stream.background, pictures.background), (.sticker, pictures.sticker)]
      .compactMap { stream, picture in picture.map { step(stream, "\($0.name) of \($0.size)") } }
  }

  /// - Parameter subject: as in "sticker.png of 640x480".
  static func step(_ stream: Plan.Step.Stream, _ subject: String) -> Plan.Step {
    Plan.Step(
      action: .encode, stream: stream, rule: stream == .sticker ? .sticker : .background,
      because: "\(subject) in sRGB, upright, without metadata")
  }

  // MARK: The check

  private static func verify(
    _ manifest: Manifest, _ preset: Preset, _ directory: FilePath, of request: Request
  ) throws {
    let findings = try PayloadCheck(
      directory: directory, manifest: manifest, limits: preset.limits
    ).findings()
    guard let failure = findings.first(where: { $0.verdict == .fail }) else { return }
    throw PrepError(
      code: .verification,
      sentence: "what was made of \(request.input.lastComponent) breaks a rule and was discarded: "
        + "\(failure.description). This is a bug of reels-prep: please report it", blame: .program)
  }
}

extension Preset {
  /// Whether its destination takes a picture, or a sticker on colours or nothing.
  public var takesStoryWithoutVideo: Bool {
    destination == ShareDestination.instagramStories.rawValue
  }
}

extension Manifest.PresetReference {
  init(_ preset: Preset) {
    self.init(
      name: preset.name, revision: preset.revision, source: preset.source.page,
      date: preset.source.date)
  }
}
