/// The name of a rule, as in plans, findings and presets.
public struct Rule: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let container = Rule(rawValue: "container")
  public static let moovFirst = Rule(rawValue: "moov-first")
  public static let noEditList = Rule(rawValue: "no-edit-list")
  public static let noFragments = Rule(rawValue: "no-fragments")
  public static let tracks = Rule(rawValue: "tracks")
  public static let metadata = Rule(rawValue: "metadata")
  public static let fileSize = Rule(rawValue: "file-size")
  public static let duration = Rule(rawValue: "duration")
  public static let startsAtZero = Rule(rawValue: "starts-at-zero")
  public static let endsTogether = Rule(rawValue: "ends-together")
  public static let frameCount = Rule(rawValue: "frame-count")
  public static let videoCodec = Rule(rawValue: "video-codec")
  public static let videoProfile = Rule(rawValue: "video-profile")
  public static let videoLevel = Rule(rawValue: "video-level")
  public static let pixelFormat = Rule(rawValue: "chroma-420-8bit")
  public static let progressive = Rule(rawValue: "progressive")
  public static let frameSize = Rule(rawValue: "frame-size")
  public static let columns = Rule(rawValue: "columns")
  public static let aspect = Rule(rawValue: "aspect")
  public static let evenSides = Rule(rawValue: "even-sides")
  public static let squarePixels = Rule(rawValue: "square-pixels")
  public static let upright = Rule(rawValue: "upright")
  public static let colorTags = Rule(rawValue: "color-tags")
  public static let frameRate = Rule(rawValue: "frame-rate")
  public static let constantFrameRate = Rule(rawValue: "constant-frame-rate")
  public static let closedGOP = Rule(rawValue: "closed-gop")
  public static let peakBitRate = Rule(rawValue: "peak-bit-rate")
  public static let audioCodec = Rule(rawValue: "audio-codec")
  public static let audioSampleRate = Rule(rawValue: "audio-sample-rate")
  public static let audioChannels = Rule(rawValue: "audio-channels")
  public static let audioBitRate = Rule(rawValue: "audio-bit-rate")
  public static let audioTiming = Rule(rawValue: "audio-timing")
  public static let audioPriming = Rule(rawValue: "audio-priming")
  public static let decodable = Rule(rawValue: "decodable")
  public static let payloadFiles = Rule(rawValue: "payload-files")
  public static let manifest = Rule(rawValue: "manifest")
  public static let cover = Rule(rawValue: "cover")
  public static let sticker = Rule(rawValue: "sticker")
  public static let background = Rule(rawValue: "background")
  public static let window = Rule(rawValue: "window")
}

/// What checking one rule found.
public struct Finding: Hashable, Sendable, Codable {
  public enum Verdict: String, Hashable, Sendable, Codable {
    case pass, fail
    /// A recommendation that is not met: said, never a failure.
    case advised
  }

  public var rule: Rule
  public var verdict: Verdict
  public var found: String
  public var allowed: String
  /// A box path with byte offset, or a packet or frame number.
  public var location: String?

  public init(
    rule: Rule, verdict: Verdict, found: String, allowed: String, location: String? = nil
  ) {
    self.rule = rule
    self.verdict = verdict
    self.found = found
    self.allowed = allowed
    self.location = location
  }
}

extension Finding: CustomStringConvertible {
  public var description: String {
    let place = location.map { " at \($0)" } ?? ""
    return "\(rule.rawValue): \(found)\(place), allowed: \(allowed)"
  }
}
