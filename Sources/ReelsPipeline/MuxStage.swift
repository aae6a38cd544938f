internal import ReelsFFmpeg
internal import ReelsModel

/// Writes both streams in the order of their decoding times.
struct MuxStage: ~Copyable, Sendable {
  private let muxer: Muxer
  private let video: Muxer.Track
  private let audio: Muxer.Track
  private let frames: Int
  private let audioPackets: Int64
  private let videoTick: Ratio
  private let audioTick: Ratio

  /// Creates the file. The encoders opened here only say what the tracks are: every range's encoder
  /// has the same header.
  static func open(
    _ path: FilePath, video plan: VideoPlan, audio audioPlan: AudioPlan
  ) throws(FFmpegError) -> MuxStage {
    let video = try Encoder.h264(
      size: plan.geometry.canvas, frameRate: plan.frameRate, encoding: plan.encoding)
    let audio = try Encoder.aac(audioPlan)
    let muxer = try Muxer.create(path)
    let scale = timeScale(of: plan.frameRate)
    let videoTrack = try muxer.addTrack(video, timeScale: scale)
    let sampleRate = audio.timeBase.inverted ?? Ratio(48_000)
    let audioTrack = try muxer.addTrack(audio, timeScale: sampleRate.num)
    try muxer.begin(videoTimeScale: scale)
    let frameSize = Int64(max(1, audio.frameSize))
    return MuxStage(
      muxer: muxer, video: videoTrack, audio: audioTrack, frames: plan.frames,
      audioPackets: (audioPlan.samples + frameSize - 1) / frameSize, videoTick: video.timeBase,
      audioTick: audio.timeBase)
  }

  private init(
    muxer: consuming Muxer, video: Muxer.Track, audio: Muxer.Track, frames: Int,
    audioPackets: Int64, videoTick: Ratio, audioTick: Ratio
  ) {
    self.muxer = muxer
    self.video = video
    self.audio = audio
    self.frames = frames
    self.audioPackets = audioPackets
    self.videoTick = videoTick
    self.audioTick = audioTick
  }

  /// A multiple of the rate's numerator, fine enough for players that round to milliseconds.
  static func timeScale(of rate: Ratio) -> Int64 {
    let numerator = max(1, min(rate.num, 1_000_000_000))
    return numerator * max(1, (10_000 + numerator - 1) / numerator)
  }

  /// Takes the ranges' packets one range after another.
  ///
  /// - Throws: `TranscodeError.incomplete` where a channel ended before the window did.
  consuming func run(video ranges: [Channel<Packet>], audio audioPackets: Channel<Packet>) throws {
    var rangesLeft = ranges[...]
    var nextVideo = try Self.next(from: &rangesLeft)
    var nextAudio = audioPackets.receive()
    var (writtenVideo, writtenAudio) = (0, Int64(0))
    while nextVideo != nil || nextAudio != nil {
      let videoTime = nextVideo?.dts.map { MediaTime(ticks: $0, timeBase: videoTick) }
      let audioTime = nextAudio?.dts.map { MediaTime(ticks: $0, timeBase: audioTick) }
      if let videoTime, audioTime.map({ videoTime <= $0 }) ?? true {
        if let packet = nextVideo.take() { try muxer.write(packet, to: video) }
        writtenVideo += 1
        nextVideo = try Self.next(from: &rangesLeft)
      } else {
        if let packet = nextAudio.take() { try muxer.write(packet, to: audio) }
        writtenAudio += 1
        nextAudio = audioPackets.receive()
      }
    }
    guard writtenVideo == frames, writtenAudio == self.audioPackets else {
      throw TranscodeError.incomplete
    }
    try muxer.finish()
  }

  private static func next(from ranges: inout ArraySlice<Channel<Packet>>) throws -> Packet? {
    while let range = ranges.first {
      if let packet = range.receive() { return packet }
      ranges.removeFirst()
    }
    return nil
  }
}
