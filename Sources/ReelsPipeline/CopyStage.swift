internal import ReelsFFmpeg
internal import ReelsModel

/// Passes packets of the source on as they are, at the times of the output.
struct CopyStage {
  let job: Transcode
  let interrupt: Interrupt

  // MARK: Video

  /// Takes the window's packets, in the order of decoding. They count frames of the output, as an
  /// encoder's do.
  func video(_ copy: VideoCopy, into output: Channel<Packet>) throws {
    guard let entry = copy.keys.first else { throw TranscodeError.notExact }
    let reader = try open(job.video.stream, at: entry, clock: job.video.sourceClock)
    let parameters = try reader.demuxer.parameters(of: job.video.stream)
    if let sets = try OuterSets(parameters) {
      return try pass(reader, copy, from: entry, into: output) { try sets.written($0) }
    }
    guard copy.addsColorTags else {
      return try pass(reader, copy, from: entry, into: output) { $0 }
    }
    let tags = try ColorTags(parameters)
    try pass(reader, copy, from: entry, into: output) { try tags.written($0) }
  }

  private func pass(
    _ packets: consuming PacketReader, _ copy: VideoCopy, from entry: EntryPoint,
    into output: Channel<Packet>, rewriting: (consuming Packet) throws -> Packet
  ) throws {
    var reader = packets
    let clock = job.video.clock
    // Presentation times of packets whose turn as decoding times has not come.
    var waiting: [Int64] = []
    var count = 0
    while count < job.video.frames {
      if interrupt.shouldEnd { throw CancellationError() }
      guard let packet = try reader.next(), let time = reader.time(of: packet) else {
        throw TranscodeError.notExact
      }
      if count == 0, time != entry.pts || !packet.isKey {
        // Before the window, where a container cannot go straight to it.
        if time < entry.pts { continue }
        throw TranscodeError.notExact
      }
      let place = Int64(clock.place(of: time))
      waiting.insert(place, at: waiting.lastIndex { $0 <= place }.map { $0 + 1 } ?? 0)
      let dts = count < copy.delay ? Int64(count - copy.delay) : waiting.removeFirst()
      guard dts <= place else { throw TranscodeError.notExact }
      packet.dropSideData()
      let written = try rewriting(packet)
      written.setTimes(pts: place, dts: dts, duration: 1)
      guard output.send(written) else { throw CancellationError() }
      count += 1
      job.progress(1)
    }
  }

  private func open(
    _ stream: Int, at entry: EntryPoint, clock: SourceClock
  ) throws(FFmpegError) -> PacketReader {
    try PacketReader.open(
      job.input, stream: stream, at: entry.pts <= job.video.origin ? nil : entry.dts,
      clock: clock, interrupt: interrupt, decoding: false)
  }

  // MARK: Sound

  /// Takes the packets from the plan's first one on, as long as the window lasts.
  func audio(
    _ copy: AudioCopy, into output: Channel<Packet>, keeping store: PacketStore?
  ) throws -> AudioStage.Outcome {
    guard let stream = job.audio.streams.first else { throw TranscodeError.soundNotExact }
    var reader = try PacketReader.open(
      job.input, stream: stream, at: copy.start, clock: job.audio.sourceClock,
      interrupt: interrupt, decoding: false)
    let decoder = try Decoder.open(reader.demuxer, stream: stream, threads: 1)
    let size = AudioPacket.samples
    var pts: Int64 = 0
    var bytes = 0
    while pts < job.audio.samples {
      if interrupt.shouldEnd { throw CancellationError() }
      guard let packet = try reader.next() else { throw TranscodeError.soundNotExact }
      if pts == 0, reader.time(of: packet) != copy.start {
        if let time = reader.time(of: packet), time < copy.start { continue }
        throw TranscodeError.soundNotExact
      }
      packet.dropSideData()
      try check(packet, decoder)
      let bare = try bare(packet, copy)
      bare.setTimes(pts: pts, dts: pts, duration: min(size, job.audio.samples - pts))
      bytes += bare.byteCount
      try store?.keep(bare, in: 0)
      guard output.send(bare) else { throw CancellationError() }
      pts += size
    }
    return AudioStage.Outcome(packetsLost: 0, bytes: bytes)
  }

  /// A packet without the header that transport streams put before it.
  private func bare(_ packet: consuming Packet, _ copy: AudioCopy) throws -> Packet {
    guard let configuration = copy.transportConfiguration else { return packet }
    guard let header = TransportHeader(packet), header.configuration == configuration else {
      throw TranscodeError.soundNotExact
    }
    return try packet.replacing(Array(packet.bytes.dropFirst(header.byteCount)))
  }

  /// Decodes a packet, which costs less than anything else here: damage is not passed on.
  private func check(_ packet: borrowing Packet, _ decoder: borrowing Decoder) throws {
    do throws(FFmpegError) {
      try decoder.send(packet)
      while case .value = try decoder.receive() {}
    } catch {
      guard error.isDamage else { throw error }
      throw TranscodeError.soundNotExact
    }
  }
}
