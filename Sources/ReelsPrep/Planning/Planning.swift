internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Inspection and planning, without any output.
struct Planning: Sendable {
  private(set) var request: Request
  let preset: Preset
  /// Copies that were tried before and did not do.
  var refusals: [CopyRefusal] = []

  func run() async throws -> (info: MediaInfo, plan: Plan) {
    var info = try await inspect()
    if request.pick == .best, request.start == nil, let pick = try await pick(info) {
      var picked = self
      picked.request.start = pick.start
      picked.request.pick = .start
      var plan: Plan
      (info, plan) = try await picked.run()
      plan.pick = pick
      return (info, plan)
    }
    if let start = snapped(info) {
      var moved = self
      moved.request.start = start
      moved.request.snap = nil
      // Only for a copy, and not where the rest would be too short.
      do {
        var (info, plan) = try await moved.run()
        if plan.video.copy != nil {
          plan.window.requestedStart = request.start ?? .zero
          return (info, plan)
        }
      } catch is PrepError {}
    }
    if let plan = try await evenPlan(info) { return (info, plan) }
    let planner = Planner(request: request, info: info, preset: preset)
    var plan = try planner.plan()
    let decision = try await decision(info, plan)
    if decision != CopyDecision() {
      var copying = planner
      copying.decision = decision
      plan = try copying.plan()
    }
    plan.warnings += try await safeAreaWarnings(info, plan)
    return (info, plan)
  }

  func inspect() async throws -> MediaInfo {
    let bytes = try InputFile.check(request.input)
    let (request, preset) = (request, preset)
    return try await blocking("inspect") { interrupt in
      try Inspector(request: request, preset: preset, interrupt: interrupt, bytes: bytes)
        .inspect()
    }
  }

  /// A plan in which a video of a rate that is not quite constant is copied; nil where it cannot be.
  private func evenPlan(_ info: MediaInfo) async throws -> Plan? {
    guard let rate = info.video?.evenRate, request.frameRate == nil else { return nil }
    var even = info
    even.video?.constantRate = rate
    var planner = Planner(request: request, info: even, preset: preset)
    guard let plan = try? planner.plan() else { return nil }
    planner.decision = try await decision(even, plan)
    guard case .copies = planner.decision.video else { return nil }
    var copying = try planner.plan()
    copying.warnings += try await safeAreaWarnings(even, copying)
    return copying
  }

  /// The key frame nearest to the start, where one is near enough and the start is none.
  private func snapped(_ info: MediaInfo) -> MediaTime? {
    guard let snap = request.snap, let start = request.start, !request.reencode,
      let survey = info.video, survey.frames.start != survey.frames.entries.first?.pts
    else { return nil }
    let distance = { (key: MediaTime) in max(key, start) - min(key, start) }
    return survey.frames.entries.map { $0.pts - survey.firstFrame }
      .filter { $0 >= .zero && distance($0) <= snap }
      .min { distance($0) < distance($1) }
  }

  private func decision(_ info: MediaInfo, _ plan: Plan) async throws -> CopyDecision {
    let (request, preset, refusals) = (request, preset, refusals)
    return try await blocking("copy scan") { interrupt in
      interrupt.limit(seconds: Inspector.surveySeconds)
      do {
        return try CopyLadder(
          request: request, preset: preset, info: info, plan: plan, refusals: refusals,
          interrupt: interrupt
        ).decision()
      } catch is FFmpegError {
        if interrupt.isRequested { throw CancellationError() }
        // What cannot be read through in time is encoded.
        return CopyDecision()
      }
    }
  }

  private static let pickSeconds = 90.0

  /// - Returns: nil where the video is no longer than what is wanted of it.
  private func pick(_ info: MediaInfo) async throws -> Pick? {
    let most = preset.limits.durationSeconds.value.maximum
    let length = min(request.duration?.doubleValue ?? most, most)
    let request = request
    return try await blocking("pick") { interrupt in
      // The batch gives up a worker that says nothing for two minutes.
      interrupt.limit(seconds: Self.pickSeconds)
      do {
        return try ActivityScan(request: request, info: info, interrupt: interrupt)
          .pick(length: length)
      } catch let error as FFmpegError {
        if interrupt.isRequested { throw CancellationError() }
        if interrupt.isExpired {
          return Pick(
            start: .zero, motion: 1, sound: nil, blackSeconds: 0,
            because: "not looked through in \(Int(Self.pickSeconds)) s, so it is the first part")
        }
        throw PrepError(reading: request.input.lastComponent.description, error)
      }
    }
  }

  private func safeAreaWarnings(_ info: MediaInfo, _ plan: Plan) async throws -> [Warning] {
    guard request.safeArea, let survey = info.video else { return [] }
    let (request, video) = (request, plan.video)
    return try await blocking("safe area") { interrupt in
      interrupt.limit(seconds: Inspector.surveySeconds)
      let scan = SafeAreaScan(
        samples: WindowSamples(input: request.input, survey: survey, interrupt: interrupt),
        recipe: FilterRecipe(
          video, planned: PictureFormat(survey), hasZscale: Machine.hasZscale),
        canvas: video.geometry.canvas)
      do {
        return try scan.warnings()
      } catch is FFmpegError {
        if interrupt.isRequested { throw CancellationError() }
        // Advice that cannot be given is no reason to refuse.
        return []
      }
    }
  }
}
