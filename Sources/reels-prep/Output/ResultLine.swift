internal import ReelsModel

/// What came out of a file, on one line.
enum ResultLine {
  /// "out/clip.reel: 12.3 MB, 25 % of the cap, 14.2 s: encoded 1080x1920 30 fps; audio copied"
  ///
  /// Of a story without a video: "out/photo.reel: 1.2 MB, 0.3 s: background.jpg 1080x1920"
  static func text(_ finished: Event.Finished) -> String {
    let manifest = finished.manifest
    guard let video = manifest.video else { return story(finished) }
    let bytes = ByteCount(manifest.files.first { $0.mediaType == "video/mp4" }?.bytes ?? 0)
    let share = Int((min(max(manifest.work.capShare, 0), 1) * 100).rounded())
    let done = done(manifest, video)
    return "\(finished.payload): \(bytes), \(share) % of the cap, \(time(manifest)): \(done)"
      .singleLine
  }

  private static func story(_ finished: Event.Finished) -> String {
    let manifest = finished.manifest
    let bytes = ByteCount(manifest.files.reduce(0) { $0 + $1.bytes })
    var parts = manifest.files.map(\.name)
    if let top = manifest.background?.topColor, let bottom = manifest.background?.bottomColor {
      parts.append(top == bottom ? "on \(top)" : "on \(top) to \(bottom)")
    }
    let what = parts.joined(separator: ", ")
    return "\(finished.payload): \(bytes), \(time(manifest)): \(what)".singleLine
  }

  private static func time(_ manifest: Manifest) -> String {
    let time = MediaTime(seconds: Ratio(approximating: manifest.work.wallSeconds))
    return "\(time.decimals(1)) s"
  }

  static func text(exists skipped: Event.Skipped) -> String { skipped.sentence.singleLine }

  private static func done(_ manifest: Manifest, _ video: Manifest.Video) -> String {
    let picture = "\(video.width)x\(video.height) \(rate(video.frameRate)) fps"
    let action = { (stream: Plan.Step.Stream) -> Plan.Step.Action? in
      let actions = manifest.steps.filter { $0.stream == stream }.map(\.action)
      // One reason to encode is enough, however many others there are.
      return actions.contains(.encode) ? .encode : actions.first
    }
    let videoPart = action(.video) == .encode ? "encoded \(picture)" : "copied \(picture)"
    let audioPart =
      switch action(.audio) {
      case .silence: "silent track"
      case .encode: "audio encoded"
      case .copy, .remux, nil: "audio copied"
      }
    return "\(videoPart); \(audioPart)"
  }

  /// "30", "29.97" or "23.976".
  static func rate(_ rate: Ratio) -> String {
    var text = MediaTime(seconds: rate).decimals(3)
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// "3 prepared, 1 there already, 1 failed, 2 passed over in 12.3 s"
  static func text(_ summary: Event.Summary) -> String {
    let parts = [
      (summary.prepared, "prepared"), (summary.existing, "there already"),
      (summary.failed, "failed"), (summary.passedOver, "passed over as no videos"),
    ]
    let told = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let time = MediaTime(seconds: Ratio(approximating: summary.wallSeconds)).decimals(1)
    return "\(told.isEmpty ? "nothing to do" : told.joined(separator: ", ")) in \(time) s"
  }
}
