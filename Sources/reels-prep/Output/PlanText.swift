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
    var lines = [
      "window: from \(plan.window.start) s, for \(plan.window.duration) s, \(video.frames) frames",
      "picture: \(picture)\(crop), from stream \(video.stream)",
      "sound: \(plan.audio.sampleRate) Hz, \(channels(plan.audio.channels)),"
        + " \(plan.audio.bitRate), \(sound)",
      "size: below \(plan.fileBytesBelow)",
    ]
    lines += plan.steps.map { step in
      "\(step.action.rawValue) \(step.stream.rawValue): \(step.because) (\(step.rule.rawValue))"
    }
    lines += plan.warnings.map { "warning: \($0.sentence)" }
    return lines.map { "  \($0.singleLine)" }
  }

  static func channels(_ count: Int) -> String {
    switch count {
    case 1: "mono"
    case 2: "stereo"
    default: "\(count) channels"
    }
  }
}
