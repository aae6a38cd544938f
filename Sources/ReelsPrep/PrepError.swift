public import ReelsModel

/// Why a job could not be done, in one sentence: file, fact, limit, way out.
public struct PrepError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A stable name in kebab case, for programs.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let notFound = Code(rawValue: "not-found")
    public static let notReadable = Code(rawValue: "not-readable")
    public static let notAFile = Code(rawValue: "not-a-file")
    public static let empty = Code(rawValue: "empty-file")
    public static let notMedia = Code(rawValue: "not-media")
    public static let noVideo = Code(rawValue: "no-video")
    public static let stillImage = Code(rawValue: "still-image")
    public static let undecodable = Code(rawValue: "undecodable")
    public static let damaged = Code(rawValue: "damaged")
    public static let tooShort = Code(rawValue: "too-short")
    public static let badWindow = Code(rawValue: "bad-window")
    public static let tooLarge = Code(rawValue: "too-large")
    public static let lowQuality = Code(rawValue: "low-quality")
    public static let badOption = Code(rawValue: "bad-option")
    public static let badPreset = Code(rawValue: "bad-preset")
    public static let badSticker = Code(rawValue: "bad-sticker")
    public static let badPicture = Code(rawValue: "bad-picture")
    public static let output = Code(rawValue: "output")
    public static let diskFull = Code(rawValue: "disk-full")
    public static let timeLimit = Code(rawValue: "time-limit")
    public static let crashed = Code(rawValue: "crashed")
    public static let verification = Code(rawValue: "verification")
    public static let program = Code(rawValue: "program")
  }

  public var code: Code
  /// One line, safe to print on a terminal, without a full stop at its end.
  public var sentence: String
  public var blame: Event.Blame

  public init(code: Code, sentence: String, blame: Event.Blame) {
    self.code = code
    self.sentence = sentence.singleLine
    self.blame = blame
  }

  public var description: String { sentence }
}
