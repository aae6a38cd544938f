/// `payload.json`, format version 1.
public struct Manifest: Hashable, Sendable, Codable {
  public static let fileName = "payload.json"
  public static let currentVersion = 1

  public var formatVersion: Int
  public var tool: Tool
  public var preset: PresetReference
  public var files: [File]
  /// nil of a story that has a picture, colours or nothing behind its sticker.
  public var video: Video?
  /// nil where there is no video.
  public var cover: Cover?
  /// nil where there is no video.
  public var window: Plan.Window?
  /// What is behind a story's sticker instead of a video; nil leaves it to the destination.
  public var background: Background?
  /// nil where the window was not picked.
  public var pick: Pick?
  /// nil for a video that was not split.
  public var part: Part?
  public var source: Source
  public var steps: [Plan.Step]
  public var warnings: [Warning]
  public var damage: Damage
  /// nil where the sound is as loud as in the source.
  public var loudness: LoudnessChange?
  public var share: [Share]
  public var work: Work

  public init(
    tool: Tool, preset: PresetReference, files: [File], video: Video?, cover: Cover?,
    window: Plan.Window?, background: Background? = nil, pick: Pick? = nil, part: Part? = nil,
    source: Source, steps: [Plan.Step], warnings: [Warning], damage: Damage,
    loudness: LoudnessChange? = nil, share: [Share], work: Work
  ) {
    self.loudness = loudness
    self.pick = pick
    self.part = part
    self.formatVersion = Self.currentVersion
    self.tool = tool
    self.preset = preset
    self.files = files
    self.video = video
    self.cover = cover
    self.window = window
    self.background = background
    self.source = source
    self.steps = steps
    self.warnings = warnings
    self.damage = damage
    self.share = share
    self.work = work
  }

  public struct Tool: Hashable, Sendable, Codable {
    public var name: String
    public var version: String

    public init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  public struct PresetReference: Hashable, Sendable, Codable {
    public var name: String
    public var revision: Int
    public var source: String
    public var date: String

    public init(name: String, revision: Int, source: String, date: String) {
      self.name = name
      self.revision = revision
      self.source = source
      self.date = date
    }
  }

  public struct File: Hashable, Sendable, Codable {
    /// A name inside the payload directory, never a path.
    public var name: String
    public var bytes: Int64
    /// Lower-case hexadecimal.
    public var sha256: String
    public var mediaType: String

    public init(name: String, bytes: Int64, sha256: String, mediaType: String) {
      self.name = name
      self.bytes = bytes
      self.sha256 = sha256
      self.mediaType = mediaType
    }
  }

  public struct Video: Hashable, Sendable, Codable {
    public var width: Int
    public var height: Int
    public var frameRate: Ratio
    public var frames: Int
    public var durationSeconds: MediaTime
    public var videoCodec: String
    public var profile: String
    /// As in "4.0".
    public var level: String
    public var audioCodec: String
    /// Hertz.
    public var sampleRate: Int
    public var channels: Int
    /// Bits a second of the whole file.
    public var bitRate: BitsPerSecond

    public init(
      width: Int, height: Int, frameRate: Ratio, frames: Int, durationSeconds: MediaTime,
      videoCodec: String, profile: String, level: String, audioCodec: String, sampleRate: Int,
      channels: Int, bitRate: BitsPerSecond
    ) {
      self.width = width
      self.height = height
      self.frameRate = frameRate
      self.frames = frames
      self.durationSeconds = durationSeconds
      self.videoCodec = videoCodec
      self.profile = profile
      self.level = level
      self.audioCodec = audioCodec
      self.sampleRate = sampleRate
      self.channels = channels
      self.bitRate = bitRate
    }
  }

  public struct Cover: Hashable, Sendable, Codable {
    public var file: String
    /// The time of the cover's frame in the output.
    public var timeSeconds: MediaTime

    public init(file: String, timeSeconds: MediaTime) {
      self.file = file
      self.timeSeconds = timeSeconds
    }
  }

  /// A picture, or colours from top to bottom.
  public struct Background: Hashable, Sendable, Codable {
    /// The picture's; nil of colours.
    public var file: String?
    public var size: PixelSize?
    /// As in "#1A2B3C"; nil of a picture.
    public var topColor: String?
    public var bottomColor: String?

    public init(file: String, size: PixelSize) {
      self.file = file
      self.size = size
    }

    public init(topColor: String, bottomColor: String) {
      self.topColor = topColor
      self.bottomColor = bottomColor
    }
  }

  public struct Source: Hashable, Sendable, Codable {
    /// The base name only.
    public var name: String
    public var bytes: Int64
    public var fingerprint: Fingerprint
    public var container: String
    public var videoCodec: String
    public var size: PixelSize
    public var sampleAspect: Ratio
    public var orientation: Orientation
    public var pixelFormat: String
    public var color: ColorDescription
    public var interlaced: Bool
    /// nil where the frame rate varies.
    public var constantFrameRate: Ratio?
    /// The audio track used, and how many there were.
    public var audioCodec: String?
    public var audioTracks: Int

    public init(
      name: String, bytes: Int64, fingerprint: Fingerprint, container: String, videoCodec: String,
      size: PixelSize, sampleAspect: Ratio, orientation: Orientation, pixelFormat: String,
      color: ColorDescription, interlaced: Bool, constantFrameRate: Ratio?, audioCodec: String?,
      audioTracks: Int
    ) {
      self.name = name
      self.bytes = bytes
      self.fingerprint = fingerprint
      self.container = container
      self.videoCodec = videoCodec
      self.size = size
      self.sampleAspect = sampleAspect
      self.orientation = orientation
      self.pixelFormat = pixelFormat
      self.color = color
      self.interlaced = interlaced
      self.constantFrameRate = constantFrameRate
      self.audioCodec = audioCodec
      self.audioTracks = audioTracks
    }
  }

  /// Identifies a source cheaply.
  public struct Fingerprint: Hashable, Sendable, Codable {
    public var bytes: Int64
    /// Seconds since 1970, with nanoseconds.
    public var modified: MediaTime
    /// SHA-256 of the first MiB, and of the last.
    public var headSHA256: String
    public var tailSHA256: String

    public init(bytes: Int64, modified: MediaTime, headSHA256: String, tailSHA256: String) {
      self.bytes = bytes
      self.modified = modified
      self.headSHA256 = headSHA256
      self.tailSHA256 = tailSHA256
    }
  }

  public struct Damage: Hashable, Sendable, Codable {
    public var framesConcealed: Int
    /// Of the frames decoded, 0 to 1.
    public var share: Double
    /// How many frames were looked at, where that is not all of them: of a copy.
    public var framesExamined: Int?

    public init(framesConcealed: Int, share: Double, framesExamined: Int? = nil) {
      self.framesConcealed = framesConcealed
      self.share = share
      self.framesExamined = framesExamined
    }
  }

  /// What it took. The only part that differs between two runs.
  public struct Work: Hashable, Sendable, Codable {
    /// Every frame sent to a video encoder.
    public var framesEncoded: Double
    public var framesOut: Int
    public var encodesPerFrame: Double
    /// Of the whole job, and of its parts.
    public var cpuSeconds: Double
    public var wallSeconds: Double
    public var inspectCPUSeconds: Double
    public var transcodeCPUSeconds: Double
    /// The small draft from which the bits are planned; nil where the cap cannot bind.
    public var draftCPUSeconds: Double?
    /// Cover, verification and hashes.
    public var finishCPUSeconds: Double
    /// The file's bytes over the cap, 0 to 1.
    public var capShare: Double
    /// The mean rate factor of x264 over the frames, and the VMAF that it should give: predicted, not
    /// measured. nil where nothing was encoded.
    public var rateFactor: Double?
    public var predictedVMAF: Double?

    public init(
      framesEncoded: Double, framesOut: Int, encodesPerFrame: Double, cpuSeconds: Double,
      wallSeconds: Double, inspectCPUSeconds: Double, transcodeCPUSeconds: Double,
      finishCPUSeconds: Double, capShare: Double, rateFactor: Double? = nil,
      predictedVMAF: Double? = nil, draftCPUSeconds: Double? = nil
    ) {
      self.framesEncoded = framesEncoded
      self.framesOut = framesOut
      self.encodesPerFrame = encodesPerFrame
      self.cpuSeconds = cpuSeconds
      self.wallSeconds = wallSeconds
      self.inspectCPUSeconds = inspectCPUSeconds
      self.transcodeCPUSeconds = transcodeCPUSeconds
      self.finishCPUSeconds = finishCPUSeconds
      self.capShare = capShare
      self.rateFactor = rateFactor
      self.predictedVMAF = predictedVMAF
      self.draftCPUSeconds = draftCPUSeconds
    }
  }
}
