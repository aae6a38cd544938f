public import ReelsModel

/// Turns any video into a payload that Instagram Reels accepts.
///
/// It holds no state: any number of calls may run at once.
public struct ReelsPrep: Sendable {
  public static let version = "0.1.0"

  public init() {}

  /// Reads what an input is, as far as `request` needs it.
  ///
  /// - Throws: `PrepError` with the sentence for the user, or `CancellationError`.
  public func inspect(_ request: Request) async throws -> MediaInfo {
    let preset = try Presets.load(request.preset)
    if try StoryPreparation.applies(to: request, preset) {
      return try await StoryPreparation(request: request, preset: preset) { _ in }.inspect()
    }
    return try await Planning(request: request, preset: preset).inspect()
  }

  /// Decides everything that `prepare` would do to a video.
  ///
  /// - Throws: `PrepError` with the sentence for the user, or `CancellationError`.
  public func plan(_ request: Request) async throws -> (info: MediaInfo, plan: Plan) {
    try await Planning(request: request, preset: Presets.load(request.preset)).run()
  }

  /// Decides what `prepare` would make of a picture, or of a sticker alone, for a story.
  ///
  /// - Returns: nil where the request is for a video: see `plan`.
  /// - Throws: `PrepError` with the sentence for the user, or `CancellationError`.
  public func storyPlan(_ request: Request) async throws -> StoryPlan? {
    let preset = try Presets.load(request.preset)
    guard try StoryPreparation.applies(to: request, preset) else { return nil }
    return try await StoryPreparation(request: request, preset: preset) { _ in }.plan()
  }

  /// Foresees what `prepare` would make of a plan, from a small draft of the window and a few GOPs of
  /// it: about a third of the time of `prepare`. `events` is called with `progress`.
  ///
  /// - Parameters:
  ///   - info: what `plan` gave for the same request.
  ///   - plan: the same.
  /// - Throws: `PrepError` with the sentence for the user, or `CancellationError`.
  public func predict(
    _ request: Request, info: MediaInfo, plan: Plan,
    events: @escaping @Sendable (Event) -> Void = { _ in }
  ) async throws -> Prediction {
    try await Preparation(
      request: request, preset: Presets.load(request.preset), events: events
    ).prediction(info, plan)
  }

  /// The requests that make payloads of all of a longer video, each as long as the preset allows and none
  /// too short: `prepare` takes them one by one, or side by side. A picture is one part.
  ///
  /// - Throws: `PrepError` with the sentence for the user, or `CancellationError`.
  public func parts(of request: Request) async throws -> [Request] {
    let preset = try Presets.load(request.preset)
    if try StoryPreparation.applies(to: request, preset) { return [request] }
    return try await Splitting(request: request, preset: preset).parts()
  }

  /// Makes the payload: whole or absent.
  ///
  /// A still picture becomes a story's background where the preset's destination takes one, and
  /// `request.background` asks for a sticker on colours or nothing.
  ///
  /// `events` is called with `planned` and `progress`, from any thread, in order; `finished`,
  /// `skipped` and `failed` are what this call returns or throws.
  ///
  /// - Throws: `PrepError` with the sentence for the user, or `CancellationError`.
  public func prepare(
    _ request: Request, events: @escaping @Sendable (Event) -> Void = { _ in }
  ) async throws -> Payload {
    let preset = try Presets.load(request.preset)
    if try StoryPreparation.applies(to: request, preset) {
      return try await StoryPreparation(request: request, preset: preset, events: events).run()
    }
    return try await Preparation(request: request, preset: preset, events: events).run()
  }
}
