package import ReelsFFmpeg
package import ReelsModel

/// One pass over a window: demux and decode, filter, encode, sound and mux, each on its own thread.
///
/// The picture's ranges are made side by side in lanes, each a chain of decoder, filters and
/// single-threaded encoder: on two cores that costs a tenth less CPU than one encoder with frame
/// threads, and the bytes do not depend on the timing of threads.
package struct Transcode: Sendable {
  package var input: FilePath
  package var output: FilePath
  package var video: VideoPlan
  package var audio: AudioPlan
  package var cover: CoverChoice
  /// Lanes side by side, as far as there are ranges; with one range, its decoder's threads.
  package var threads: Int
  /// libavfilter's description for frames of a format, anew whenever the format changes.
  package var recipe: @Sendable (PictureFormat) -> String
  /// Told of each number of frames that an encoder has taken, from any lane.
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
    package var score: Double

    /// Whether it is to be chosen before `other`, whichever came first.
    func isBetter(than other: CoverPicture?) -> Bool {
      guard let other else { return true }
      return (score, -frame) > (other.score, -other.frame)
    }
  }

  /// More lanes would take more memory: each is about 250 MB at 1080p.
  private static let maximumLanes = 4

  /// Runs to the end.
  ///
  /// - Throws: `FFmpegError`, `TranscodeError`, or `CancellationError` where the task was cancelled;
  ///   the output file is then not usable.
  package func run() async throws -> Result {
    let interrupt = Interrupt()
    let executor = StageExecutor()
    // Compressed: all of the video may wait here for an earlier range, below the file's cap; 64
    // packets of sound are 1.4 s, 22 kB.
    let videoPackets = video.ranges.map { Channel<Packet>(capacity: $0.count + 1) }
    let audioPackets = Channel<Packet>(capacity: 64)
    let outcome = TranscodeOutcome()
    executor.onStop {
      interrupt.request()
      for channel in videoPackets { channel.cancel() }
      audioPackets.cancel()
    }
    // A channel is finished only by a stage that has succeeded. One that fails must not end those
    // after it: theirs would be the first error. The executor stops them.
    executor.start("audio") {
      let encoder = try Encoder.aac(audio)
      let stage = AudioStage(job: self, encoder: encoder, interrupt: interrupt)
      let lost = try stage.run(into: audioPackets)
      audioPackets.finish()
      outcome.update { $0.audioPacketsLost = lost }
    }
    executor.start("mux") {
      try MuxStage.open(output, video: video, audio: audio)
        .run(video: videoPackets, audio: audioPackets)
    }
    let lanes = max(1, min(video.ranges.count, threads, Self.maximumLanes))
    let queue = RangeQueue(count: video.ranges.count)
    for lane in 1...lanes {
      startLane(
        lane, on: executor, queue: queue, decoderThreads: max(1, threads / lanes),
        packets: videoPackets, interrupt: interrupt, outcome: outcome)
    }
    try await executor.wait()
    return try outcome.result()
  }

  private func startLane(
    _ lane: Int, on executor: StageExecutor, queue: RangeQueue, decoderThreads: Int,
    packets: [Channel<Packet>], interrupt: Interrupt, outcome: TranscodeOutcome
  ) {
    // 2 decoded frames, at most 2 × 25 MB (4K, 10-bit), and 2 filtered ones of 3.1 MB (1080p).
    let decoded = Channel<PlacedPicture>(capacity: 2)
    let filtered = Channel<PlacedPicture>(capacity: 2)
    executor.onStop {
      decoded.cancel()
      filtered.cancel()
    }
    executor.start("decode \(lane)") {
      let stage = DecodeStage(job: self, threads: decoderThreads, interrupt: interrupt)
      while let range = queue.next() {
        let concealed = try stage.run(range, into: decoded)
        outcome.update { $0.framesConcealed += concealed }
      }
      decoded.finish()
    }
    executor.start("filter \(lane)") {
      try FilterStage(recipe: recipe, threads: decoderThreads).run(from: decoded, into: filtered)
      filtered.finish()
    }
    executor.start("encode \(lane)") {
      let (encoded, cover) = try EncodeStage(job: self).run(from: filtered, into: packets)
      outcome.update {
        $0.framesEncoded += encoded
        if let cover, cover.isBetter(than: $0.cover) { $0.cover = cover }
      }
    }
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
  /// The number of the range that it belongs to.
  package let range: Int
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
