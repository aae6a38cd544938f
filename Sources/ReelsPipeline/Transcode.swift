package import ReelsFFmpeg
package import ReelsModel

/// One pass over a window: demux and decode, filter, encode, sound and mux, each on its own thread.
package struct Transcode: Sendable {
  package var input: FilePath
  package var output: FilePath
  package var video: VideoPlan
  package var audio: AudioPlan
  /// nil for none.
  package var cover: CoverChoice?
  /// How the bits are spent; nil gives every range a constant quality: that in `crfs`, or the plan's.
  package var budget: TranscodeBudget?
  /// The ranges' rate factors.
  package var crfs: [Double]?
  /// Where a range goes on by another one.
  package var changes: [CRFChange?]?
  /// What the encoders know beforehand of the frames.
  package var guidance = Guidance.none
  /// Lanes side by side, as far as there are ranges; with one range, its decoder's threads.
  package var threads: Int
  /// libavfilter's description for frames of a format, anew whenever the format changes.
  package var recipe: @Sendable (PictureFormat) -> PictureRecipe
  /// Told of each number of frames that an encoder has taken, from any lane.
  package var progress: @Sendable (Int) -> Void

  package init(
    input: FilePath, output: FilePath, video: VideoPlan, audio: AudioPlan, cover: CoverChoice?,
    budget: TranscodeBudget? = nil, crfs: [Double]? = nil, threads: Int,
    recipe: @escaping @Sendable (PictureFormat) -> PictureRecipe,
    progress: @escaping @Sendable (Int) -> Void
  ) {
    self.input = input
    self.output = output
    self.video = video
    self.audio = audio
    self.cover = cover
    self.budget = budget
    self.crfs = crfs
    self.threads = threads
    self.recipe = recipe
    self.progress = progress
  }

  package enum Guidance: Sendable {
    case none
    /// This is a first pass, which writes a log for each range, in this place.
    case writes([FilePath])
    /// This is a second pass: for each range, the first pass over its frames.
    case follows([FirstPass], FirstPass.Grid)
  }

  package struct CRFChange: Hashable, Sendable {
    /// Counted within the range.
    package var frame: Int
    package var crf: Double

    package init(frame: Int, crf: Double) {
      self.frame = frame
      self.crf = crf
    }
  }

  /// What came of it.
  package struct Result: Sendable {
    package var framesEncoded: Int
    /// Frames shown that the decoder had to conceal, or that are missing and held instead.
    package var framesConcealed: Int
    /// Frames of a copy that were decoded; nil where all were.
    package var framesExamined: Int?
    package var audioPacketsLost: Int
    package var cover: CoverPicture
    /// The packets of each range, and those of the sound, where there was a budget.
    package var kept: Kept?
    /// What became of the budget's units.
    package var outcomes: [BitBudget.Outcome?]
  }

  package struct Kept: Sendable {
    package let video: PacketStore
    package let audio: PacketStore
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

  /// Runs to the end.
  ///
  /// - Throws: `FFmpegError`, `TranscodeError`, or `CancellationError` where the task was cancelled;
  ///   the output file is then not usable.
  package func run() async throws -> Result {
    let interrupt = Interrupt()
    let executor = StageExecutor()
    let ledger = budget.map { BudgetLedger($0) }
    let kept = budget.map { _ in
      Kept(video: PacketStore(lists: video.ranges.count), audio: PacketStore(lists: 1))
    }
    // Compressed: all of the video may wait here for an earlier range, below the file's cap, and all
    // of the sound, 1 MB a minute: it is to be known early what it takes.
    let videoPackets = video.ranges.map { Channel<Packet>(capacity: $0.count + 1) }
    let audioPackets = Channel<Packet>(capacity: Int(audio.samples / 1_024) + 2)
    let outcome = TranscodeOutcome()
    executor.onStop {
      interrupt.request()
      for channel in videoPackets { channel.cancel() }
      audioPackets.cancel()
      ledger?.cancel()
    }
    // A channel is finished only by a stage that has succeeded. One that fails must not end those
    // after it: theirs would be the first error. The executor stops them.
    executor.start("audio") {
      let sound: AudioStage.Outcome
      if let copy = audio.copy {
        sound = try CopyStage(job: self, interrupt: interrupt)
          .audio(copy, into: audioPackets, keeping: kept?.audio)
      } else {
        let encoder = try Encoder.aac(audio)
        let stage = AudioStage(job: self, encoder: encoder, interrupt: interrupt)
        sound = try stage.run(into: audioPackets, keeping: kept?.audio)
      }
      audioPackets.finish()
      ledger?.recordAudio(bytes: sound.bytes)
      outcome.update { $0.audioPacketsLost = sound.packetsLost }
    }
    executor.start("mux") {
      try MuxStage.open(self, interrupt: interrupt)
        .run(video: videoPackets, audio: audioPackets)
    }
    if let copy = video.copy {
      start(copy, into: videoPackets, interrupt: interrupt, outcome: outcome, on: executor)
    } else {
      VideoLanes(
        job: self, packets: videoPackets, ledger: ledger, store: kept?.video, interrupt: interrupt,
        outcome: outcome
      ).start(on: executor)
    }
    try await executor.wait()
    return try outcome.result(kept: kept, outcomes: ledger?.all ?? [])
  }

  private func start(
    _ copy: VideoCopy, into packets: [Channel<Packet>], interrupt: Interrupt,
    outcome: TranscodeOutcome, on executor: StageExecutor
  ) {
    executor.start("copy") {
      guard let output = packets.first, packets.count == 1 else {
        throw TranscodeError.incomplete
      }
      try CopyStage(job: self, interrupt: interrupt).video(copy, into: output)
      output.finish()
    }
    guard let cover else { return }
    executor.start("cover") {
      let found = try CoverStage(job: self, choice: cover, keys: copy.keys, interrupt: interrupt)
        .run()
      // What does not decode whole is not to be passed on.
      guard found.isWhole, let picture = found.cover else { throw TranscodeError.notExact }
      outcome.update { ($0.cover, $0.framesExamined) = (picture, found.frames) }
    }
  }

  /// The picture's ranges alone.
  package struct Pictures: Sendable {
    package let packets: PacketStore
    /// In order of their places.
    package let pairs: [PairProbe.Pair]
  }

  /// Makes the picture's ranges alone, for drafts and for parts that replace others.
  ///
  /// - Parameter probe: pairs that are encoded on the way.
  /// - Throws: as `run()`.
  package func pictures(_ probe: PairProbe? = nil) async throws -> Pictures {
    let interrupt = Interrupt()
    let executor = StageExecutor()
    let store = PacketStore(lists: video.ranges.count)
    // Nobody receives: there is room for all.
    let packets = video.ranges.map { Channel<Packet>(capacity: $0.count + 1) }
    executor.onStop {
      interrupt.request()
      for channel in packets { channel.cancel() }
    }
    let outcome = TranscodeOutcome()
    VideoLanes(
      job: self, packets: packets, ledger: nil, store: store, probe: probe, interrupt: interrupt,
      outcome: outcome
    ).start(on: executor)
    try await executor.wait()
    return Pictures(packets: store, pairs: outcome.pairs(versions: probe?.versions.count ?? 0))
  }

  /// Writes the file anew from packets that were kept.
  ///
  /// - Throws: as `run()`.
  package func mux(_ kept: Kept) async throws {
    let job = self
    try await StageExecutor.run("mux") {
      let ranges = try (0..<kept.video.count).map { try kept.video.channel(of: $0) }
      try MuxStage.open(job, interrupt: Interrupt())
        .run(video: ranges, audio: kept.audio.channel(of: 0))
    }
  }
}

/// A stage that could not do its part, other than by libav's fault.
package enum TranscodeError: Error, Hashable, Sendable {
  /// Not one frame of the window could be decoded.
  case noFrames
  /// The channels ended before the whole window was written.
  case incomplete
  /// A source cannot be copied after all: it is damaged, or more of it would change than may.
  case notExact
  /// The same of its sound.
  case soundNotExact
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
  /// Whether this or an earlier frame of the range is interlaced.
  package var isInterlaced = false

  package init(
    size: PixelSize, sampleAspect: Ratio?, pixelFormat: PixelFormatInfo, color: ColorDescription
  ) {
    self.size = size
    self.sampleAspect = sampleAspect
    self.pixelFormat = pixelFormat
    self.color = color
  }
}
