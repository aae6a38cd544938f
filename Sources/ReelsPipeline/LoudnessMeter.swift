internal import ReelsFFmpeg
package import ReelsModel

extension Transcode {
  /// Measures the window's sound (ITU-R BS.1770 by libavfilter's `ebur128`), without the picture.
  ///
  /// - Parameter encoded: whether as it comes out of the encoder, instead of as it goes in: AAC at
  ///   128 kbit/s adds to peaks (at most 0.3 dB in 41 of 43 sounds, 1.2 in one).
  /// - Returns: nil where there is no sound above the gate of −70 LUFS.
  /// - Throws: `FFmpegError`, or `CancellationError` where the task was cancelled.
  package func loudness(encoded: Bool = false) async throws -> Loudness? {
    let interrupt = Interrupt()
    let job = self
    return try await StageExecutor.run(
      "loudness", onCancel: { interrupt.request() },
      {
        guard !job.audio.streams.isEmpty else { return nil }
        var meter = try LoudnessMeter.open(job.audio)
        if encoded {
          try meter.listenToCoded(job, interrupt)
        } else {
          try meter.listen(job, interrupt)
        }
        return try meter.finish()
      })
  }
}

private struct LoudnessMeter: ~Copyable {
  private let plan: AudioPlan
  private let meter: FilterGraph
  private let peaks: FilterGraph
  private var position: Int64 = 0
  private var loudness = silence
  private var peak = 0.0

  private static let step = 4_800
  /// Decibels.
  private static let lift = 30.0
  /// What `ebur128` says where nothing is above the gate.
  private static let silence = -70.0

  static func open(_ plan: AudioPlan) throws -> LoudnessMeter {
    LoudnessMeter(
      plan: plan, meter: try FilterGraph.audio("ebur128=metadata=1", from: [plan.format]),
      // Peaks are told in thousandths: of a quiet sound that is too little.
      peaks: try FilterGraph.audio(
        "volume=\(lift)dB:precision=double,ebur128=peak=true:metadata=1", from: [plan.format]))
  }

  private init(plan: AudioPlan, meter: consuming FilterGraph, peaks: consuming FilterGraph) {
    self.plan = plan
    self.meter = meter
    self.peaks = peaks
  }

  /// Takes the whole window as it is.
  mutating func listen(_ job: Transcode, _ interrupt: Interrupt) throws {
    var sound = SoundTrack(job: job, preroll: 0, interrupt: interrupt)
    while position < plan.samples {
      if interrupt.shouldEnd { throw CancellationError() }
      try take(try sound.take(Int(min(Int64(Self.step), plan.samples - position))))
    }
  }

  /// Takes it encoded and decoded, as `AudioStage` encodes it and a player decodes it.
  mutating func listenToCoded(_ job: Transcode, _ interrupt: Interrupt) throws {
    let encoder = try Encoder.aac(plan)
    let decoder = try Decoder.open(of: encoder)
    let size = Int64(encoder.frameSize)
    var sound = SoundTrack(job: job, preroll: size, interrupt: interrupt)
    // The encoder holds back a frame: one more pushes the last one out.
    for pts in stride(from: -size, to: plan.samples + size, by: Int(size)) {
      if interrupt.shouldEnd { throw CancellationError() }
      let frame = try sound.take(encoder.frameSize)
      frame.pts = pts
      try encoder.send(frame)
      while case .value(let packet) = try encoder.receive() {
        guard packet.pts.map({ $0 >= 0 }) == true else { continue }
        try decoder.send(packet)
        while case .value(let frame) = try decoder.receive() { try take(frame) }
      }
    }
  }

  private mutating func take(_ frame: borrowing Frame) throws {
    frame.pts = position
    try meter.send(frame)
    frame.pts = position
    try peaks.send(frame)
    position += Int64(frame.sampleCount)
    try read()
  }

  private mutating func read() throws {
    while case .value(let frame) = try meter.receive() {
      if let value = frame.number("lavfi.r128.I") { loudness = value }
    }
    while case .value(let frame) = try peaks.receive() {
      if let value = frame.number("lavfi.r128.true_peak") { peak = max(peak, value) }
    }
  }

  mutating func finish() throws -> Loudness? {
    // Peaks are told once in a tenth of a second: the last ones need one more.
    try take(try SampleFifo(channels: plan.channels, sampleRate: plan.sampleRate).take(Self.step))
    try meter.sendEnd()
    try peaks.sendEnd()
    try read()
    guard loudness > Self.silence, peak > 0 else { return nil }
    return Loudness(integrated: loudness, truePeak: Loudness.decibels(peak) - Self.lift)
  }
}

extension AudioPlan {
  /// Of the samples between the tracks and the encoder.
  var format: AudioFormat {
    AudioFormat(
      sampleRate: sampleRate, sampleFormat: "fltp", channelLayout: channels == 1 ? "mono" : "stereo"
    )
  }
}
