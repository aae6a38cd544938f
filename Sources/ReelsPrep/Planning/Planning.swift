internal import ReelsModel

/// Inspection and planning, without any output.
struct Planning: Sendable {
  let request: Request
  let preset: Preset

  func run() async throws -> (info: MediaInfo, plan: Plan) {
    let info = try await inspect()
    return (info, try Planner(request: request, info: info, preset: preset).plan())
  }

  func inspect() async throws -> MediaInfo {
    let bytes = try InputFile.check(request.input)
    let (request, preset) = (request, preset)
    return try await blocking("inspect") { interrupt in
      try Inspector(request: request, preset: preset, interrupt: interrupt, bytes: bytes)
        .inspect()
    }
  }
}
