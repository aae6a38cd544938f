/// What is asked for one input. Every default is the product's own.
public struct Request: Hashable, Sendable, Codable {
  public var input: FilePath
  /// The directory that will hold `<slug>.reel`.
  public var outputDirectory: FilePath
  /// The name of the payload without `.reel`; nil derives it from the input's name.
  public var slug: String?
  /// A built-in preset's name, or the path of a JSON file.
  public var preset: String
  /// From the first presented frame; nil is 0.
  public var start: MediaTime?
  public var duration: MediaTime?
  /// From the first presented frame; an alternative to `duration`.
  public var end: MediaTime?
  /// The part to take where no start is given.
  public var pick: PickChoice
  /// Whether a longer video becomes several payloads (`ReelsPrep.parts(of:)`).
  public var split: Bool
  /// Which of them this is.
  public var part: Part?
  public var fit: Fit
  /// The picture's size for `fit` other than keep; nil chooses the preset's.
  public var canvas: PixelSize?
  public var padColor: RGBColor
  /// The place of the picture that a crop keeps in the middle, as far as the picture goes; nil is its centre.
  public var cropFocus: PicturePoint?
  /// Whether black borders that the source has around its picture are cut away first.
  public var removeBorders: Bool
  /// Whether to warn of detail where the destination's interface covers the picture.
  public var safeArea: Bool
  /// Overrides the output frame rate.
  public var frameRate: Ratio?
  /// The file's size is below this; nil is the preset's.
  public var maxSize: ByteCount?
  /// VMAF that the result is predicted to have at least; nil takes what the cap allows.
  public var minQuality: Double?
  public var effort: Effort
  /// Whether streams are encoded that could be copied.
  public var reencode = false
  /// How far the start may move to a key frame, so that the picture can be copied; nil is not at all.
  public var snap: MediaTime?
  public var short: ShortPolicy
  public var audio: AudioChoice
  /// LUFS to bring the sound to, as far as its peaks allow; nil leaves it as it is.
  public var loudness: Double?
  public var sticker: FilePath?
  /// What a story shows behind its sticker.
  public var background = StoryBackground.input
  /// The sticker is at most so large; nil is what the preset recommends.
  public var stickerSize: PixelSize?
  public var appID: String?
  public var cover: CoverChoice
  public var overwrite: Bool
  /// Threads for decoding and filtering; nil is one for each core. The encoder's are fixed.
  public var threads: Int?
  /// What a worker's process may use; nil is half of the machine's, 4 GiB at most. A library call of
  /// one's own process is not bounded by it.
  public var maxMemory: ByteCount?

  public init(
    input: FilePath, outputDirectory: FilePath, slug: String? = nil, preset: String = "reels",
    start: MediaTime? = nil, duration: MediaTime? = nil, end: MediaTime? = nil,
    pick: PickChoice = .start,
    split: Bool = false, part: Part? = nil, fit: Fit = .keep,
    canvas: PixelSize? = nil, padColor: RGBColor = .black, cropFocus: PicturePoint? = nil,
    removeBorders: Bool = false, safeArea: Bool = false, frameRate: Ratio? = nil,
    maxSize: ByteCount? = nil, minQuality: Double? = nil, effort: Effort = .balanced,
    short: ShortPolicy = .reject,
    audio: AudioChoice = .auto, loudness: Double? = nil, sticker: FilePath? = nil,
    stickerSize: PixelSize? = nil, appID: String? = nil,
    cover: CoverChoice = .auto, overwrite: Bool = false, threads: Int? = nil,
    maxMemory: ByteCount? = nil
  ) {
    self.maxMemory = maxMemory
    self.input = input
    self.outputDirectory = outputDirectory
    self.slug = slug
    self.preset = preset
    self.start = start
    self.duration = duration
    self.end = end
    self.pick = pick
    self.split = split
    self.part = part
    self.fit = fit
    self.canvas = canvas
    self.padColor = padColor
    self.cropFocus = cropFocus
    self.removeBorders = removeBorders
    self.safeArea = safeArea
    self.frameRate = frameRate
    self.maxSize = maxSize
    self.minQuality = minQuality
    self.effort = effort
    self.short = short
    self.audio = audio
    self.loudness = loudness
    self.sticker = sticker
    self.stickerSize = stickerSize
    self.appID = appID
    self.cover = cover
    self.overwrite = overwrite
    self.threads = threads
  }
}

/// What a story shows behind its sticker.
public enum StoryBackground: Hashable, Sendable, Codable {
  /// The request's input, a video or a picture.
  case input
  /// Colours from top to bottom; the request's input is the sticker.
  case colors(top: RGBColor, bottom: RGBColor)
  /// What the destination chooses; the request's input is the sticker.
  case unspecified
}

/// How a picture meets a canvas of another shape.
public enum Fit: String, Hashable, Sendable, Codable, CaseIterable {
  /// The picture's own shape, inside the canvas, never enlarged.
  case keep
  /// Whole picture on the canvas, the rest in `padColor`.
  case pad
  /// Canvas filled; what stands over is cut, evenly on both sides.
  case crop
  /// Whole picture over a blurred, filling copy of itself.
  case blur
}

/// How much time an encode may take for its quality.
public enum Effort: String, Hashable, Sendable, Codable, CaseIterable {
  case fast, balanced, best
}

/// What to do with a source shorter than the preset's minimum.
public enum ShortPolicy: String, Hashable, Sendable, Codable, CaseIterable {
  /// Refuse it.
  case reject
  /// Play it again from its start until the minimum is reached.
  case loop
  /// Hold its last frame, with silence, until the minimum is reached.
  case hold
}

/// Which sound goes with the video.
public enum AudioChoice: Hashable, Sendable {
  /// The first decodable track that is not silent, the default track first.
  case auto
  /// The track with this number, counting audio tracks from 1.
  case track(Int)
  /// All decodable tracks, summed.
  case mix
  /// A silent track.
  case none
}

extension AudioChoice: RawRepresentable, Codable {
  public init?(rawValue: String) {
    switch rawValue {
    case "auto": self = .auto
    case "mix": self = .mix
    case "none": self = .none
    default:
      guard rawValue.allSatisfy(\.isASCIIDigit), let number = Int(rawValue), number >= 1 else {
        return nil
      }
      self = .track(number)
    }
  }

  public var rawValue: String {
    switch self {
    case .auto: "auto"
    case .mix: "mix"
    case .none: "none"
    case .track(let number): "\(number)"
    }
  }
}

/// Which frame becomes the cover.
///
/// Encoded in JSON as "auto" or as a number of seconds.
public enum CoverChoice: Hashable, Sendable {
  /// A lit, sharp frame from the early part of the clip.
  case auto
  /// The frame on show at this time of the output.
  case time(MediaTime)
}

extension CoverChoice: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let word = try? container.decode(String.self) {
      guard word == "auto" else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "a cover is \"auto\" or a time, not \"\(word)\"")
      }
      self = .auto
    } else {
      self = .time(try container.decode(MediaTime.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .auto: try container.encode("auto")
    case .time(let time): try container.encode(time)
    }
  }
}
