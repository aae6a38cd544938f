internal import ReelsModel

/// A stream whose copy did not do after all.
struct CopyRefusal: Error, Hashable, Sendable {
  enum Stream: Hashable, Sendable { case video, audio }

  var stream: Stream
  var obstacle: CopyDecision.Obstacle

  init(_ stream: Stream, _ rule: Rule, _ because: String) {
    self.stream = stream
    obstacle = CopyDecision.Obstacle(rule, because)
  }
}

extension CopyDecision {
  /// Takes back what was refused.
  mutating func apply(_ refusals: [CopyRefusal]) {
    for refusal in refusals {
      switch refusal.stream {
      case .video: video = .blocked(refusal.obstacle)
      case .audio: audio = .blocked(refusal.obstacle)
      }
    }
  }
}
