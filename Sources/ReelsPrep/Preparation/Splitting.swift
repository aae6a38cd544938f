internal import ReelsModel

/// Finds the parts of a longer video, without gaps or repeats between them.
struct Splitting: Sendable {
  let request: Request
  let preset: Preset

  /// No video is longer, seconds.
  private static let longest = 86_400.0

  /// - Returns: a request for each part, in order.
  /// - Throws: `PrepError`, or `CancellationError`.
  func parts() async throws -> [Request] {
    var whole = preset
    whole.limits.durationSeconds.value.maximum = Self.longest
    // Of the whole only the picture's times count.
    var survey = request
    (survey.audio, survey.removeBorders) = (.none, false)
    let info = try await Planning(request: survey, preset: whole).inspect()
    let extent = try Planner(request: request, info: info, preset: whole).extent()
    let bounds = preset.limits.durationSeconds.value
    let rate = extent.rate
    let counts = SplitPlan.counts(
      frames: extent.frames,
      least: Int((Ratio(approximating: bounds.minimum) * rate).ceiling),
      most: Int((Ratio(approximating: bounds.maximum) * rate).floor))
    let slug = request.slug ?? Slug.plain(for: request.input)
    let digits = "\(counts.count)".count
    var first = 0
    return counts.enumerated().map { index, count in
      var part = request
      part.split = false
      // Parts meet frame by frame.
      part.snap = nil
      // In the middle of the frame, where its time stamp's rounding does not matter.
      let offset = extent.keepsRate && first > 0 ? Ratio(1, 2) : Ratio(0)
      part.start = extent.start + MediaTime(seconds: (Ratio(Int64(first)) + offset) / rate)
      part.end = nil
      part.frameRate = rate
      let seconds = (Ratio(Int64(count)) + Ratio(1, 4)) / rate
      part.duration = MediaTime(seconds: min(seconds, Ratio(approximating: bounds.maximum)))
      part.part = Part(index: index + 1, of: counts.count)
      let number = "\(index + 1)"
      part.slug =
        "\(slug)-\(String(repeating: "0", count: digits - number.count))\(number)"
      first += count
      return part
    }
  }
}
