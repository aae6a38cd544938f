internal import ReelsModel

/// What of a plan's streams can be copied, and what forbids it.
struct CopyDecision: Hashable, Sendable {
  enum Outcome<Copy: Hashable & Sendable>: Hashable, Sendable {
    /// Nobody has looked, since something else forces an encode.
    case notTried
    case copies(Copy)
    case blocked(Obstacle)
  }

  /// The rule that a copy would break.
  struct Obstacle: Hashable, Sendable, Error {
    var rule: Rule
    /// One sentence part, as in a plan's step.
    var because: String

    init(_ rule: Rule, _ because: String) {
      self.rule = rule
      self.because = because
    }
  }

  var video = Outcome<VideoCopy>.notTried
  var audio = Outcome<SoundCopy>.notTried

  /// Sound as it is in the source.
  struct SoundCopy: Hashable, Sendable {
    var copy: AudioCopy
    /// Packets from the first one on that the window takes.
    var packets: Int
    /// Hertz.
    var sampleRate: Int
    var channels: Int
    var bitRate: BitsPerSecond
  }
}
