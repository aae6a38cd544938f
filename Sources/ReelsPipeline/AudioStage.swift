internal import ReelsFFmpeg
internal import ReelsModel

/// Decodes, mixes and encodes the window's sound.
struct AudioStage: ~Copyable {
  let job: Transcode
  let encoder: Encoder
  let interrupt: Interrupt

  init(job: Transcode, encoder: consuming Encoder, interrupt: Interrupt) {
    self.job = job
    self.encoder = encoder
    self.interrupt = interrupt
  }

  /// What came of it.
  struct Outcome {
    /// Packets of the source.
    var packetsLost = 0
    /// Of the packets that were sent on.
    var bytes = 0
  }

  consuming func run(into output: Channel<Packet>, keeping store: PacketStore?) throws -> Outcome {
    let frameSize = encoder.frameSize
    let plan = job.audio
    // One frame of real sound before the window, so that the encoder knows what came before.
    let preroll = Int64(frameSize)
    let packets = (plan.samples + Int64(frameSize) - 1) / Int64(frameSize)
    var sound = SoundTrack(job: job, preroll: preroll, interrupt: interrupt)
    var pts = -preroll
    var bytes = 0
    // A packet needs the frame after it: packets + 1 frames from the window's start.
    while pts < packets * Int64(frameSize) {
      if interrupt.shouldEnd { throw CancellationError() }
      let frame = try sound.take(frameSize)
      frame.pts = pts
      try encoder.send(frame)
      guard try drain(into: output, packets: packets, keeping: store, bytes: &bytes) else {
        throw CancellationError()
      }
      pts += Int64(frameSize)
    }
    try encoder.sendEnd()
    _ = try drain(into: output, packets: packets, keeping: store, bytes: &bytes)
    return Outcome(packetsLost: sound.refusedPackets, bytes: bytes)
  }

  /// Passes on the packets of the window: those before it are priming, and the last is cut short.
  private func drain(
    into output: Channel<Packet>, packets: Int64, keeping store: PacketStore?, bytes: inout Int
  ) throws -> Bool {
    while case .value(let packet) = try encoder.receive() {
      guard let pts = packet.pts, pts >= 0 else { continue }
      let size = Int64(encoder.frameSize)
      guard pts < packets * size else { continue }
      packet.duration = min(size, job.audio.samples - pts)
      bytes += packet.byteCount
      try store?.keep(packet, in: 0)
      if !output.send(packet) { return false }
    }
    return true
  }
}

/// The window's samples: one track, several mixed, silence, or a short source again and again, or
/// once and then silence.
struct SoundTrack: ~Copyable {
  private let job: Transcode
  private let interrupt: Interrupt
  private var sources: [AudioSource] = []
  private var mixer: FilterGraph?
  private var volume: FilterGraph?
  /// Samples that the current pass still gives; the first also gives the preroll.
  private var left: Int64 = 0
  private var preroll: Int64
  private var isOpen = false
  private var finishedRefusals = 0

  init(job: Transcode, preroll: Int64, interrupt: Interrupt) {
    self.job = job
    self.preroll = preroll
    self.interrupt = interrupt
  }

  var refusedPackets: Int { finishedRefusals + sources.reduce(0) { $0 + $1.refusedPackets } }

  /// The next `count` samples, as loud as they are to be.
  mutating func take(_ count: Int) throws -> Frame {
    guard let gain = job.audio.gain else { return try plain(count) }
    let frame = try plain(count)
    if volume == nil {
      volume = try FilterGraph.audio(
        "volume=volume=\(gain)dB:precision=float,aformat=sample_fmts=fltp", from: [job.audio.format]
      )
    }
    try volume?.send(frame)
    guard let pull = try volume?.receive(), case .value(let louder) = pull,
      louder.sampleCount == count
    else { throw TranscodeError.incomplete }
    return louder
  }

  private mutating func plain(_ count: Int) throws -> Frame {
    let isLoop = job.video.short == .loop
    // One frame more than the source has only makes up for rounding: its sound goes on.
    let isHeld = !isLoop && job.video.sourceFrames + 1 < job.video.frames
    if !job.audio.streams.isEmpty, !isLoop, !isHeld {
      if !isOpen { try open() }
      return try mixed(count)
    }
    let queue = try SampleFifo(channels: job.audio.channels, sampleRate: job.audio.sampleRate)
    if job.audio.streams.isEmpty { return try queue.take(count) }
    // Passes end where the picture's do; a frame may hold the end of one and the start of the next,
    // or of the silence in which the last picture is held.
    while queue.count < count {
      if left == 0 {
        if isOpen, isHeld { break }
        try open()
      }
      let part = Int(min(left, Int64(count - queue.count)))
      try queue.append(try mixed(part), from: 0, limit: part)
      left -= Int64(part)
    }
    return try queue.take(count)
  }

  private mutating func open() throws {
    finishedRefusals = refusedPackets
    let rate = Ratio(Int64(job.audio.sampleRate))
    let origin = job.video.start - MediaTime(seconds: Ratio(preroll) / rate)
    left = (Ratio(Int64(job.video.sourceFrames)) / job.video.frameRate * rate).rounded + preroll
    preroll = 0
    isOpen = true
    sources = try job.audio.streams.map { stream in
      try AudioSource.open(
        job.input, stream: stream, plan: job.audio, origin: origin, interrupt: interrupt)
    }
    mixer = nil
    if sources.count > 1 {
      mixer = try FilterGraph.audio(
        sources.indices.map { "[in\($0)]" }.joined()
          + "amix=inputs=\(sources.count):normalize=0,aformat=sample_fmts=fltp[out]",
        from: Array(repeating: job.audio.format, count: sources.count))
    }
  }

  private mutating func mixed(_ count: Int) throws -> Frame {
    guard mixer != nil else {
      guard let source = sources.first else { throw TranscodeError.incomplete }
      return try source.take(count)
    }
    for (index, source) in sources.enumerated() {
      try mixer?.send(try source.take(count), input: index)
    }
    guard let pull = try mixer?.receive(), case .value(let frame) = pull,
      frame.sampleCount == count
    else { throw TranscodeError.incomplete }
    return frame
  }
}
