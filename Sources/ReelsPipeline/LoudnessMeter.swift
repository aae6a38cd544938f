internal import ReelsFFmpeg
package import ReelsModel

extension Transcode {
  /// Measures the window's sound as it would be encoded (ITU-R BS.1770 by libavfilter's `ebur128`),
  /// without the picture.
  ///
  /// - Returns: nil where there is no sound above the gate of −70 LUFS.
  /// - Throws: `FFmpegError`, or `CancellationError` where the task was cancelled.
  package func loudness() async throws -> Loudness? {
    let interrupt = Interrupt()
    let job = self
    return try await StageExecutor.run(
      "loudness", onCancel: { interrupt.request() },
      { try LoudnessMeter(job: job, interrupt: interrupt).measure() })
  }
}

private struct LoudnessMeter {
  let job: Transcode
  let interrupt: Interrupt

  private static let step = 4_800
  /// Decibels.
  private static let lift = 30.0
  /// What `ebur128` says where nothing is above the gate.
  private static let silence = -70.0

  func measure() throws -> Loudness? {
    let plan = job.audio
    guard !plan.streams.isEmpty else { return nil }
    var sound = SoundTrack(job: job, preroll: 0, interrupt: interrupt)
    let meter = try FilterGraph.audio("ebur128=metadata=1", from: [plan.format])
    // Peaks are told in thousandths: of a quiet sound that is too little.
    let peaks = try FilterGraph.audio(
      "volume=\(Self.lift)dB:precision=double,ebur128=peak=true:metadata=1", from: [plan.format])
    var loudness = Self.silence
    var peak = 0.0
    func read() throws {
      while case .value(let frame) = try meter.receive() {
        if let value = frame.number("lavfi.r128.I") { loudness = value }
      }
      while case .value(let frame) = try peaks.receive() {
        if let value = frame.number("lavfi.r128.true_peak") { peak = max(peak, value) }
      }
    }
    var position: Int64 = 0
    while position < plan.samples {
      if interrupt.shouldEnd { throw CancellationError() }
      let count = Int(min(Int64(Self.step), plan.samples - position))
      let frame = try sound.take(count)
      frame.pts = position
      try meter.send(frame)
      frame.pts = position
      try peaks.send(frame)
      try read()
      position += Int64(count)
    }
    // Peaks are told once in a tenth of a second: the last ones need one more.
    let rest = try SampleFifo(channels: plan.channels, sampleRate: plan.sampleRate).take(Self.step)
    rest.pts = position
    try peaks.send(rest)
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
