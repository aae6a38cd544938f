internal import ReelsModel

/// A plan for people: what would be done, with one reason a line.
enum PlanText {
  static func lines(_ plan: Plan) -> [String] {
    let video = plan.video
    let picture = "\(video.geometry.canvas) \(ResultLine.rate(video.frameRate)) fps"
    let crop =
      video.geometry.picture == video.geometry.canvas
      ? "" : ", \(video.geometry.fit.rawValue) from \(video.geometry.picture)"
    let sound =
      plan.audio.streams.isEmpty
      ? "silent"
      : "from stream \(plan.audio.streams.map(String.init).joined(separator: " and "))"
    let lines = [
      "window: from \(plan.window.start) s, for \(plan.window.duration) s, \(video.frames) frames",
      "picture: \(picture)\(crop), from stream \(video.stream)",
      "sound: \(plan.audio.sampleRate) Hz, \(channels(plan.audio.channels)),"
        + " \(plan.audio.bitRate), \(sound)",
      "size: below \(plan.fileBytesBelow)",
    ]
    return indented(lines + text(plan.steps, plan.warnings))
  }

  static func lines(_ story: StoryPlan) -> [String] {
    var lines: [String] = []
    if let geometry = story.geometry {
      let fit =
        geometry.picture == geometry.canvas
        ? "" : ", \(geometry.fit.rawValue) from \(geometry.picture)"
      lines.append("picture: \(geometry.canvas)\(fit), of \(geometry.source)")
    }
    return indented(lines + text(story.steps, story.warnings))
  }

  private static func text(_ steps: [Plan.Step], _ warnings: [Warning]) -> [String] {
    steps.map { step in
      "\(step.action.rawValue) \(step.stream.rawValue): \(step.because) (\(step.rule.rawValue))"
    } + warnings.map { "warning: \($0.sentence)" }
  }

  private static func indented(_ lines: [String]) -> [String] {
    lines.map { "  \($0.singleLine)" }
  }

  static func channels(_ count: Int) -> String {
    switch count {
    case 1: "mono"
    case 2: "stereo"
    default: "\(count) channels"
    }
  }
}
