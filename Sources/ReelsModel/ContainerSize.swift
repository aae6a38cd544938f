/// What an MP4 of ours takes besides the packets: boxes and sample tables (ISO/IEC 14496-12), counted
/// for the order in which the packets are written.
public struct ContainerSize: Hashable, Sendable {
  public var frames: Int
  public var frameRate: Ratio
  public var audioPackets: Int
  public var sampleRate: Int

  public init(frames: Int, frameRate: Ratio, audioPackets: Int, sampleRate: Int) {
    self.frames = frames
    self.frameRate = frameRate
    self.audioPackets = audioPackets
    self.sampleRate = sampleRate
  }

  /// ftyp, mvhd, the tracks' headers and sample descriptions, udta, free and mdat's header.
  private static let boxes = 1_250
  /// `ctts` joins neighbours with the same offset: between half and all of the frames have their own.
  private static let offsets = 0.75
  /// Frames by which x264's decoding times run ahead of presentation.
  private static let delay = 2
  private static let samplesInPacket = 1_024.0

  /// Bytes, exact but for `ctts` and the headers' text.
  public var bytes: Int {
    let chunks = self.chunks
    let syncSamples = 4 * Int(Double(frames) / max(1, frameRate.doubleValue))
    let offsets = Int(Double(8 * frames) * Self.offsets)
    return Self.boxes + 4 * (frames + audioPackets) + offsets + syncSamples
      + 4 * (chunks.video.count + chunks.audio.count)
      + 12 * (chunks.video.changes + chunks.audio.changes)
  }

  /// The chunks of one track, and how often the number of samples in them changes (`stsc`).
  private struct Chunks {
    var count = 0
    var changes = 0
    private var samples = 0
    private var last = 0

    mutating func add() { samples += 1 }

    mutating func end() {
      guard samples > 0 else { return }
      count += 1
      if samples != last { changes += 1 }
      (last, samples) = (samples, 0)
    }
  }

  private var chunks: (video: Chunks, audio: Chunks) {
    var (video, audio) = (Chunks(), Chunks())
    var (frame, packet) = (0, 0)
    let rate = frameRate.doubleValue
    while frame < frames || packet < audioPackets {
      let videoTime = Double(frame - Self.delay) / rate
      let audioTime = Double(packet) * Self.samplesInPacket / Double(sampleRate)
      if frame < frames, packet >= audioPackets || videoTime <= audioTime {
        audio.end()
        video.add()
        frame += 1
      } else {
        video.end()
        audio.add()
        packet += 1
      }
    }
    video.end()
    audio.end()
    return (video, audio)
  }
}
