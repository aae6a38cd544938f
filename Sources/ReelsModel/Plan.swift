/// Everything that will be done to one input, decided before any media is touched.
public struct Plan: Hashable, Sendable, Codable {
  public var window: Window
  public var video: VideoPlan
  public var audio: AudioPlan
  public var cover: CoverChoice
  /// The file's size is below this.
  public var fileBytesBelow: ByteCount
  /// Why the window is where it is, where it was picked.
  public var pick: Pick?
  public var steps: [Step]
  public var warnings: [Warning]

  public init(
    window: Window, video: VideoPlan, audio: AudioPlan, cover: CoverChoice,
    fileBytesBelow: ByteCount, steps: [Step], warnings: [Warning]
  ) {
    self.window = window
    self.video = video
    self.audio = audio
    self.cover = cover
    self.fileBytesBelow = fileBytesBelow
    self.steps = steps
    self.warnings = warnings
  }

  /// The part of the source that is taken, in seconds from its first presented frame.
  public struct Window: Hashable, Sendable, Codable {
    public var requestedStart: MediaTime
    /// The pts of the frame on show at `requestedStart`.
    public var start: MediaTime
    /// Exactly frames / rate of the output.
    public var duration: MediaTime

    public init(requestedStart: MediaTime, start: MediaTime, duration: MediaTime) {
      self.requestedStart = requestedStart
      self.start = start
      self.duration = duration
    }
  }

  /// One step and the rule that forced it.
  public struct Step: Hashable, Sendable, Codable {
    public enum Action: String, Hashable, Sendable, Codable {
      case copy, remux, encode, silence
    }
    public enum Stream: String, Hashable, Sendable, Codable {
      case video, audio, container, cover, sticker, background
    }
    public var action: Action
    public var stream: Stream
    public var rule: Rule
    /// One sentence part: "10-bit becomes 8-bit 4:2:0".
    public var because: String

    public init(action: Action, stream: Stream, rule: Rule, because: String) {
      self.action = action
      self.stream = stream
      self.rule = rule
      self.because = because
    }
  }
}

/// Something that the user should know and that did not stop the job.
public struct Warning: Hashable, Sendable, Codable {
  /// Stable, in kebab case.
  public var code: String
  public var sentence: String

  public init(code: String, sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}

/// How the picture is made.
public struct VideoPlan: Hashable, Sendable, Codable {
  /// The stream's index in the container.
  public var stream: Int
  /// In the file's own time: T = 0 and the first output frame.
  public var origin: MediaTime
  public var start: MediaTime
  /// The presentation time of the last source frame inside the window.
  public var last: MediaTime
  /// What the file's time stamps mean.
  public var sourceClock = SourceClock()
  /// Times whose frames the container lost.
  public var lost: [LostSpan] = []
  /// Where the packets are copied; nil for an encode.
  public var copy: VideoCopy?
  public var frameRate: Ratio
  /// Exactly this many frames leave the encoder.
  public var frames: Int
  /// How many of them show the source itself; the rest loops or holds (`ShortPolicy`).
  public var sourceFrames: Int
  public var short: ShortPolicy
  public var geometry: Geometry
  public var color: ColorPlan
  public var deinterlace: Bool
  /// The output in parts, in order, each with an encoder of its own.
  public var ranges: [EncodeRange]
  public var encoding: VideoEncoding

  public init(
    stream: Int, origin: MediaTime, start: MediaTime, last: MediaTime,
    frameRate: Ratio, frames: Int, sourceFrames: Int, short: ShortPolicy, geometry: Geometry,
    color: ColorPlan,
    deinterlace: Bool, ranges: [EncodeRange], encoding: VideoEncoding
  ) {
    self.stream = stream
    self.origin = origin
    self.start = start
    self.last = last
    self.frameRate = frameRate
    self.frames = frames
    self.sourceFrames = sourceFrames
    self.short = short
    self.geometry = geometry
    self.color = color
    self.deinterlace = deinterlace
    self.ranges = ranges
    self.encoding = encoding
  }

  /// A part of the output that begins with an IDR frame and is encoded apart from the others.
  public struct EncodeRange: Hashable, Sendable, Codable {
    /// Its first frame in the output.
    public var first: Int
    public var count: Int
    /// Where decoding has to begin for it.
    public var entry: EntryPoint

    public init(first: Int, count: Int, entry: EntryPoint) {
      self.first = first
      self.count = count
      self.entry = entry
    }
  }

  /// One fit calculation, in display space: square pixels, upright.
  public struct Geometry: Hashable, Sendable, Codable {
    /// The part of the stored picture that is used; nil is all of it.
    public var part: PixelRect?
    public var orientation: Orientation
    public var fit: Fit
    /// The size of the scaled picture, even, inside or over the canvas.
    public var picture: PixelSize
    /// The size of the output.
    public var canvas: PixelSize
    public var padColor: RGBColor
    /// For a crop.
    public var focus: PicturePoint

    public init(
      part: PixelRect? = nil, orientation: Orientation, fit: Fit, picture: PixelSize,
      canvas: PixelSize, padColor: RGBColor, focus: PicturePoint = .centre
    ) {
      self.part = part
      self.focus = focus
      self.orientation = orientation
      self.fit = fit
      self.picture = picture
      self.canvas = canvas
      self.padColor = padColor
    }
  }

  /// What the source's values mean (never unspecified) and how they become BT.709.
  public struct ColorPlan: Hashable, Sendable, Codable {
    public var source: ColorDescription
    public var toneMap: ToneMap
    /// The source's peak in cd/m², for tone mapping.
    public var peakLuminance: Double

    public init(source: ColorDescription, toneMap: ToneMap, peakLuminance: Double) {
      self.source = source
      self.toneMap = toneMap
      self.peakLuminance = peakLuminance
    }
  }

  public enum ToneMap: String, Hashable, Sendable, Codable {
    case none
    /// By `ToneCurve`: ITU-R BT.2390's, on the brightest colour of each pixel.
    case bt2390
  }
}

extension VideoPlan {
  /// The output's places in the file's own time.
  package var clock: FrameClock { FrameClock(start: start, rate: frameRate, places: 0..<frames) }

  /// Where to enter the source for a part that begins at a place of the output: the last key frame that
  /// is shown no later, the first one where there is none. A source that is played again and again is
  /// entered where it begins.
  package func entry(showing place: Int, of entries: [EntryPoint]) -> EntryPoint? {
    let clock = clock
    let wanted = short == .loop ? 0 : place
    return entries.last { clock.place(of: $0.pts) <= wanted } ?? entries.first
  }
}

/// The encoder's parameters, all of them fixed by the plan, so that the bytes are the same on every
/// machine with the same libraries.
public struct VideoEncoding: Hashable, Sendable, Codable {
  public var effort: Effort
  /// Constant rate factor of x264.
  public var crf: Double
  /// VBV: what the buffer is filled with, and its size in bits.
  public var maximumRate: BitsPerSecond
  public var bufferBits: Int64
  /// What part of the buffer a range may use at once at its start, 0 to 1 (`vbv-init`).
  public var initialFill: Double
  /// Frames between IDR frames at most.
  public var gopFrames: Int
  /// H.264 level times ten, as `level_idc` (9 is 1b).
  public var level: Int
  /// How many frames ahead the encoder looks (`rc-lookahead`), where no first pass has done so.
  public var lookaheadFrames: Int
  /// Whether VBV keeps every second below the peak, which takes a sixth of the CPU; without it the
  /// peak is looked at afterwards.
  public var limitsPeak = true

  public init(
    effort: Effort, crf: Double, maximumRate: BitsPerSecond, bufferBits: Int64, initialFill: Double,
    gopFrames: Int, level: Int, lookaheadFrames: Int
  ) {
    self.effort = effort
    self.crf = crf
    self.maximumRate = maximumRate
    self.bufferBits = bufferBits
    self.initialFill = initialFill
    self.gopFrames = gopFrames
    self.level = level
    self.lookaheadFrames = lookaheadFrames
  }
}

/// How the sound is made.
public struct AudioPlan: Hashable, Sendable, Codable {
  /// The container's indices of the streams to use: none is silence, several are mixed.
  public var streams: [Int]
  /// Hertz: 48,000, or 44,100 where the source has it.
  public var sampleRate: Int
  public var channels: Int
  public var bitRate: BitsPerSecond
  /// Exactly this many samples of each channel are kept.
  public var samples: Int64
  /// Decibels, once they are known; nil leaves the sound as loud as it is.
  public var gain: Double?
  /// Where the packets are copied; nil for an encode.
  public var copy: AudioCopy?
  /// What the file's time stamps mean.
  public var sourceClock = SourceClock()
  /// By stream, of those whose edit list has several parts.
  public var edits: [Int: [AudioEdit]] = [:]

  public init(
    streams: [Int], sampleRate: Int, channels: Int, bitRate: BitsPerSecond, samples: Int64,
    gain: Double? = nil
  ) {
    self.gain = gain
    self.streams = streams
    self.sampleRate = sampleRate
    self.channels = channels
    self.bitRate = bitRate
    self.samples = samples
  }
}
