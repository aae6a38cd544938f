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
  /// has the same header. Of what is copied, the source says it.
  static func open(_ job: Transcode, interrupt: Interrupt) throws -> MuxStage {
    let (video, audio) = (job.video, job.audio)
    let muxer = try Muxer.create(job.output)
    let scale = timeScale(of: video.frameRate)
    let videoTick = video.frameRate.inverted ?? Ratio(1, 30)
    let videoTrack: Muxer.Track
    if let copy = video.copy {
      let parameters = try Demuxer.open(job.input, interrupt: interrupt, decoding: false)
        .parameters(of: video.stream)
      if let sets = try OuterSets(parameters) {
        try parameters.setConfiguration(sets.configuration)
      } else if copy.addsColorTags {
        try parameters.setConfiguration(ColorTags(parameters).configuration)
      }
      parameters.describePlainVideo()
      videoTrack = try muxer.addTrack(
        parameters, timeBase: videoTick, timeScale: scale, frameRate: video.frameRate)
    } else {
      let encoder = try Encoder.h264(
        size: video.geometry.canvas, frameRate: video.frameRate, encoding: video.encoding)
      videoTrack = try muxer.addTrack(encoder, timeScale: scale)
    }
    let sampleRate = Int64(audio.sampleRate)
    let audioTrack: Muxer.Track
    if let copy = audio.copy, let stream = audio.streams.first {
      let parameters = try Demuxer.open(job.input, interrupt: interrupt, decoding: false)
        .parameters(of: stream)
      if let configuration = copy.transportConfiguration {
        try parameters.setConfiguration(configuration)
      }
      parameters.describePlainSound(packetSamples: Int(AudioPacket.samples))
      audioTrack = try muxer.addTrack(
        parameters, timeBase: Ratio(1, sampleRate), timeScale: sampleRate)
    } else {
      audioTrack = try muxer.addTrack(try Encoder.aac(audio), timeScale: sampleRate)
    }
    try muxer.begin(videoTimeScale: scale)
    return MuxStage(
      muxer: muxer, video: videoTrack, audio: audioTrack, frames: video.frames,
      audioPackets: (audio.samples + AudioPacket.samples - 1) / AudioPacket.samples,
      videoTick: videoTick, audioTick: Ratio(1, sampleRate))
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
