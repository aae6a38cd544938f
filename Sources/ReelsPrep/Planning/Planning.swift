internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Inspection and planning, without any output.
struct Planning: Sendable {
  let request: Request
  let preset: Preset

  func run() async throws -> (info: MediaInfo, plan: Plan) {
    let info = try await inspect()
    var plan = try Planner(request: request, info: info, preset: preset).plan()
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
