/// The dated rules of one destination. The planner, the verification and the checker all read it.
public struct Preset: Hashable, Sendable, Codable {
  public var name: String
  /// Rises with every change of a limit.
  public var revision: Int
  public var title: String
  /// The destination's key in a manifest's `share`.
  public var destination: String
  public var source: Source
  /// Further pages that single limits come from, by the key that a limit's `source` names.
  public var sources: [String: Source]
  public var limits: Limits

  public init(
    name: String, revision: Int, title: String, destination: String, source: Source,
    sources: [String: Source], limits: Limits
  ) {
    self.name = name
    self.revision = revision
    self.title = title
    self.destination = destination
    self.source = source
    self.sources = sources
    self.limits = limits
  }

  /// The page that a limit was taken from.
  public struct Source: Hashable, Sendable, Codable {
    public var title: String
    public var page: String
    /// ISO 8601, the day the page was read or last changed.
    public var date: String

    public init(title: String, page: String, date: String) {
      self.title = title
      self.page = page
      self.date = date
    }
  }

  public enum Severity: String, Hashable, Sendable, Codable {
    /// The platform refuses what breaks it.
    case hard
    /// The platform recommends it.
    case advised
  }

  public struct Limit<Value: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    public var value: Value
    public var severity: Severity
    /// A key of `sources`.
    public var source: String

    public init(value: Value, severity: Severity, source: String) {
      self.value = value
      self.severity = severity
      self.source = source
    }
  }

  /// An interval with both ends allowed.
  public struct Bounds: Hashable, Sendable, Codable {
    public var minimum: Double
    public var maximum: Double

    public init(minimum: Double, maximum: Double) {
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  /// Every limit, with the unit in its name.
  public struct Limits: Hashable, Sendable, Codable {
    public var durationSeconds: Limit<Bounds>
    /// The file is smaller than this many bytes.
    public var fileBytesBelow: Limit<Int64>
    public var videoCodecs: Limit<[String]>
    /// Those that are copied where every other rule holds; others are encoded.
    public var copiedVideoCodecs: Limit<[String]>
    public var videoProfiles: Limit<[String]>
    public var frameRate: Limit<Bounds>
    /// The upright canvas; a landscape picture may use it turned.
    public var canvas: Limit<PixelSize>
    /// What the upright picture has at least; nil where nothing is asked for.
    public var leastSize: Limit<PixelSize>?
    public var columnsMaximum: Limit<Int>
    /// Width over height.
    public var aspect: Limit<Bounds>
    /// GOPs are closed and no longer than this.
    public var gopSecondsMaximum: Limit<Double>
    /// Over any second.
    public var peakBitsPerSecond: Limit<Int64>
    public var audioCodecs: Limit<[String]>
    public var audioSampleRateMaximum: Limit<Int>
    public var audioChannels: Limit<Bounds>
    public var audioBitsPerSecond: Limit<Int64>
    public var editListsAllowed: Limit<Bool>
    public var moovFirst: Limit<Bool>
    public var coverBytesMaximum: Limit<Int64>
    public var stickerSize: Limit<PixelSize>
    /// Of the frames, 0 to 1: a source more of whose frames had to be concealed is refused.
    public var concealedShareMaximum: Limit<Double>
  }
}
