package import ReelsFFmpeg
package import ReelsModel

/// One pass over a window: demux and decode, filter, encode, sound and mux, each on its own thread.
package struct Transcode: Sendable {
  package var input: FilePath
  package var output: FilePath
  package var video: VideoPlan
  package var audio: AudioPlan
  package var cover: CoverChoice
  /// For the decoder and the filters; the encoder's are in the plan.
  package var threads: Int
  /// libavfilter's description for frames of a format, anew whenever the format changes.
  package var recipe: @Sendable (PictureFormat) -> String
  /// Told of the number of frames that the encoder has taken.
  package var progress: @Sendable (Int) -> Void

  package init(
    input: FilePath, output: FilePath, video: VideoPlan, audio: AudioPlan, cover: CoverChoice,
    threads: Int, recipe: @escaping @Sendable (PictureFormat) -> String,
    progress: @escaping @Sendable (Int) -> Void
  ) {
    self.input = input
    self.output = output
    self.video = video
    self.audio = audio
    self.cover = cover
    self.threads = threads
    self.recipe = recipe
    self.progress = progress
  }

  /// What came of it.
  package struct Result: Sendable {
    package var framesEncoded: Int
    /// Frames shown that the decoder had to conceal, or that are missing and held instead.
    package var framesConcealed: Int
    package var audioPacketsLost: Int
    package var cover: CoverPicture
  }

  /// The chosen frame as a JPEG.
  package struct CoverPicture: Sendable {
    package var jpeg: [UInt8]
    /// The place in the output.
    package var frame: Int
  }

  /// Runs to the end.
  ///
  /// - Throws: `FFmpegError`, `TranscodeError`, or `CancellationError` where the task was cancelled;
  ///   the output file is then not usable.
  package func run() async throws -> Result {
    let interrupt = Interrupt()
    let executor = StageExecutor()
    // 4 decoded frames, at most 4 × 25 MB (4K, 10-bit), and 4 filtered ones of 3.1 MB (1080p).
    let decoded = Channel<PlacedPicture>(capacity: 4)
    let filtered = Channel<PlacedPicture>(capacity: 4)
    // Compressed: at the peak rate 16 frames are 1.7 MB; 64 packets of sound are 1.4 s, 22 kB.
    let videoPackets = Channel<Packet>(capacity: 16)
    let audioPackets = Channel<Packet>(capacity: 64)
    let outcome = TranscodeOutcome()

    executor.onStop {
      interrupt.request()
      decoded.cancel()
      filtered.cancel()
      videoPackets.cancel()
      audioPackets.cancel()
    }

    let videoEncoder = try Encoder.h264(
      size: video.geometry.canvas, frameRate: video.frameRate, encoding: video.encoding)
    let audioEncoder = try Encoder.aac(audio)
    let mux = try MuxStage.open(
      output, video: videoEncoder, audio: audioEncoder, plan: video, samples: audio.samples)

    // A channel is finished only by a stage that has succeeded. One that fails must not end those
    // after it: theirs would be the first error. The executor stops them.
    executor.start("decode") {
      let concealed = try DecodeStage(job: self, interrupt: interrupt).run(into: decoded)
      decoded.finish()
      outcome.update { $0.framesConcealed = concealed }
    }
    executor.start("filter") {
      try FilterStage(recipe: recipe, threads: threads).run(from: decoded, into: filtered)
      filtered.finish()
    }
    start(executor, videoEncoder, from: filtered, into: videoPackets, outcome: outcome)
    start(executor, audioEncoder, into: audioPackets, interrupt: interrupt, outcome: outcome)
    start(executor, mux, video: videoPackets, audio: audioPackets)

    try await executor.wait()
    return try outcome.result()
  }

  private func start(
    _ executor: StageExecutor, _ encoder: consuming Encoder, from frames: Channel<PlacedPicture>,
    into packets: Channel<Packet>, outcome: TranscodeOutcome
  ) {
    let encoder = Handover(encoder)
    executor.start("encode") {
      let stage = EncodeStage(job: self, encoder: try encoder.take())
      let (encoded, cover) = try stage.run(from: frames, into: packets)
      packets.finish()
      outcome.update {
        $0.framesEncoded = encoded
        $0.cover = cover
      }
    }
  }

  private func start(
    _ executor: StageExecutor, _ encoder: consuming Encoder, into packets: Channel<Packet>,
    interrupt: Interrupt, outcome: TranscodeOutcome
  ) {
    let encoder = Handover(encoder)
    executor.start("audio") {
      let stage = AudioStage(job: self, encoder: try encoder.take(), interrupt: interrupt)
      let lost = try stage.run(into: packets)
      packets.finish()
      outcome.update { $0.audioPacketsLost = lost }
    }
  }

  private func start(
    _ executor: StageExecutor, _ mux: consuming MuxStage, video: Channel<Packet>,
    audio: Channel<Packet>
  ) {
    let mux = Handover(mux)
    executor.start("mux") { try mux.take().run(video: video, audio: audio) }
  }
}

/// A stage that could not do its part, other than by libav's fault.
package enum TranscodeError: Error, Hashable, Sendable {
  /// Not one frame of the window could be decoded.
  case noFrames
  /// The channels ended before the whole window was written.
  case incomplete
}

/// A decoded or filtered picture and the places of the output that it takes.
package struct PlacedPicture: ~Copyable, Sendable {
  package let frame: Frame
  package let run: FrameClock.Run
  package let timeBase: Ratio
}

/// What a filter description depends on.
package struct PictureFormat: Hashable, Sendable {
  package var size: PixelSize
  package var sampleAspect: Ratio?
  package var pixelFormat: PixelFormatInfo
  package var color: ColorDescription

  package init(
    size: PixelSize, sampleAspect: Ratio?, pixelFormat: PixelFormatInfo, color: ColorDescription
  ) {
    self.size = size
    self.sampleAspect = sampleAspect
    self.pixelFormat = pixelFormat
    self.color = color
  }
}
