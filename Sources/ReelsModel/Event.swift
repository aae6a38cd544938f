/// What a job or a batch reports while it runs. One JSON object a line with `--json`.
public enum Event: Hashable, Sendable {
  case planned(Planned)
  case progress(Progress)
  case finished(Finished)
  case skipped(Skipped)
  case failed(Failed)
  case summary(Summary)

  public struct Planned: Hashable, Sendable, Codable {
    public var input: FilePath
    public var payload: FilePath
    /// nil of a story without a video.
    public var plan: Plan?
    /// nil of a video.
    public var story: StoryPlan?

    public init(input: FilePath, payload: FilePath, plan: Plan) {
      self.input = input
      self.payload = payload
      self.plan = plan
    }

    public init(input: FilePath, payload: FilePath, story: StoryPlan) {
      self.input = input
      self.payload = payload
      self.story = story
    }
  }

  public struct Progress: Hashable, Sendable, Codable {
    public var input: FilePath
    /// 0 to 1, never going back.
    public var fraction: Double
    public var frames: Int
    /// Seconds of output made in a second.
    public var speed: Double
    /// nil until it can be told.
    public var secondsLeft: Double?

    public init(
      input: FilePath, fraction: Double, frames: Int, speed: Double, secondsLeft: Double?
    ) {
      self.input = input
      self.fraction = fraction
      self.frames = frames
      self.speed = speed
      self.secondsLeft = secondsLeft
    }
  }

  public struct Finished: Hashable, Sendable, Codable {
    public var input: FilePath
    public var payload: FilePath
    public var manifest: Manifest

    public init(input: FilePath, payload: FilePath, manifest: Manifest) {
      self.input = input
      self.payload = payload
      self.manifest = manifest
    }
  }

  public struct Skipped: Hashable, Sendable, Codable {
    public enum Reason: String, Hashable, Sendable, Codable {
      /// The payload is there already and `--overwrite` was not given.
      case exists
      /// Found in a folder, and not a video.
      case notVideo
    }
    public var input: FilePath
    public var reason: Reason
    public var sentence: String

    public init(input: FilePath, reason: Reason, sentence: String) {
      self.input = input
      self.reason = reason
      self.sentence = sentence
    }
  }

  public struct Failed: Hashable, Sendable, Codable {
    public var input: FilePath
    /// A stable code in kebab case.
    public var code: String
    /// File, fact, limit, way out.
    public var sentence: String
    /// Whose fault it is: decides the exit code.
    public var blame: Blame

    public init(input: FilePath, code: String, sentence: String, blame: Blame) {
      self.input = input
      self.code = code
      self.sentence = sentence
      self.blame = blame
    }
  }

  public enum Blame: String, Hashable, Sendable, Codable {
    case input, output, program
  }

  public struct Summary: Hashable, Sendable, Codable {
    public var prepared: Int
    public var existing: Int
    /// Non-videos passed over in folders, with hidden files not counted.
    public var passedOver: Int
    public var failed: Int
    public var wallSeconds: Double

    public init(prepared: Int, existing: Int, passedOver: Int, failed: Int, wallSeconds: Double) {
      self.prepared = prepared
      self.existing = existing
      self.passedOver = passedOver
      self.failed = failed
      self.wallSeconds = wallSeconds
    }
  }
}

extension Event: Codable {
  private enum CodingKeys: String, CodingKey { case type }
  private enum Kind: String, Codable { case planned, progress, finished, skipped, failed, summary }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Kind.self, forKey: .type) {
    case .planned: self = .planned(try Planned(from: decoder))
    case .progress: self = .progress(try Progress(from: decoder))
    case .finished: self = .finished(try Finished(from: decoder))
    case .skipped: self = .skipped(try Skipped(from: decoder))
    case .failed: self = .failed(try Failed(from: decoder))
    case .summary: self = .summary(try Summary(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let body: (kind: Kind, value: any Encodable) =
      switch self {
      case .planned(let value): (.planned, value)
      case .progress(let value): (.progress, value)
      case .finished(let value): (.finished, value)
      case .skipped(let value): (.skipped, value)
      case .failed(let value): (.failed, value)
      case .summary(let value): (.summary, value)
      }
    try container.encode(body.kind, forKey: .type)
    try body.value.encode(to: encoder)
  }
}
