package import ReelsFFmpeg
package import ReelsModel

/// One audio track's samples, continuous from an exact instant, in the output's format.
///
/// Holes in the time stamps are silence; after the track's end there is silence for ever.
package final class AudioSource {
  private var packets: PacketReader
  private var decoder: Decoder
  private let plan: AudioPlan
  private let origin: MediaTime
  private var graph: FilterGraph?
  private var graphFormat: AudioFormat?
  private var clock: SampleClock
  private let queue: SampleFifo
  private var hasEnded = false
  private var isDraining = false
  /// Whether what is decoded is wanted, and not only leads up to the origin: after a seek the first packet
  /// may be half a one.
  private var isInside = false
  private var frameTimes = FrameTimes()
  /// The part of the edit list that is read; nil where there are not several.
  private var edit: AudioEdit?
  private var laterEdits: ArraySlice<AudioEdit> = []
  /// Whether the part was heard to its end.
  private var isEditOver = false
  private let reopen: (AudioEdit) throws(FFmpegError) -> PacketReader
  /// Whether the next time stamp is of a clock that begins anew.
  private var isNewClock = false
  /// Packets that did not decode, and frames that no filter took.
  package private(set) var refusedPackets = 0

  /// Decoders need what came before: 80 ms for Opus (RFC 7845 §4.6), a packet for AAC.
  private static let preroll = MediaTime(seconds: Ratio(1, 4))
  /// More than this in one gap is not sound that stopped for a while.
  private static let maximumGapSeconds = 3_600

  private init(
    packets: consuming PacketReader, decoder: consuming Decoder, plan: AudioPlan,
    origin: MediaTime, queue: consuming SampleFifo, edits: ArraySlice<AudioEdit>,
    reopen: @escaping (AudioEdit) throws(FFmpegError) -> PacketReader
  ) {
    self.edit = edits.first
    self.laterEdits = edits.dropFirst()
    self.reopen = reopen
    self.packets = packets
    self.decoder = decoder
    self.plan = plan
    self.origin = origin
    self.queue = queue
    self.clock = SampleClock(sampleRate: plan.sampleRate)
  }

  /// Opens a track so that the first sample taken is the one at `origin`, in the file's own time.
  package static func open(
    _ path: FilePath, stream: Int, plan: AudioPlan, origin: MediaTime, interrupt: Interrupt
  ) throws(FFmpegError) -> AudioSource {
    let edits = plan.edits[stream, default: []].drop { $0.end <= origin }
    let reopen = { (edit: AudioEdit) throws(FFmpegError) -> PacketReader in
      try PacketReader.open(
        path, stream: stream, at: max(edit.media, origin - edit.shift) - preroll,
        clock: plan.sourceClock, interrupt: interrupt, ignoringEdits: true)
    }
    let packets =
      if let first = edits.first {
        try reopen(first)
      } else {
        try PacketReader.open(
          path, stream: stream, at: origin - preroll, clock: plan.sourceClock, interrupt: interrupt)
      }
    let decoder = try Decoder.open(packets.demuxer, stream: stream, threads: 1)
    let queue = try SampleFifo(channels: plan.channels, sampleRate: plan.sampleRate)
    return AudioSource(
      packets: packets, decoder: decoder, plan: plan, origin: origin, queue: queue, edits: edits,
      reopen: reopen)
  }

  /// The next `count` samples.
  ///
  /// - Throws: an interrupt, out of memory, a read error.
  package func take(_ count: Int) throws(FFmpegError) -> Frame {
    while queue.count < count, !hasEnded { try advance() }
    return try queue.take(count)
  }

  private func advance() throws(FFmpegError) {
    if isEditOver {
      try end()
      return
    }
    do throws(FFmpegError) {
      switch try decoder.receive() {
      case .value(let frame):
        try accept(frame)
        return
      case .end:
        try drainGraph()
        try end()
        return
      case .needsInput: break
      }
    } catch {
      guard error.isDamage else { throw error }
      if isInside { refusedPackets += 1 }
      if isDraining { try end() }
      return
    }
    if isDraining {
      try end()
      return
    }
    try feed()
  }

  /// Goes on with the next part of the edit list, or ends.
  private func end() throws(FFmpegError) {
    guard let next = laterEdits.popFirst() else {
      hasEnded = true
      return
    }
    edit = next
    packets = try reopen(next)
    decoder = try Decoder.open(packets.demuxer, stream: packets.stream, threads: 1)
    graph = nil
    frameTimes = FrameTimes()
    (isDraining, isInside, isEditOver, isNewClock) = (false, false, false, true)
  }

  private func feed() throws(FFmpegError) {
    let restarts = packets.restartCount
    let next = try packets.next()
    if packets.restartCount > restarts { isNewClock = true }
    do throws(FFmpegError) {
      if let packet = next {
        if !isInside { isInside = packets.time(of: packet).map { $0 + shift >= origin } ?? true }
        frameTimes.correct(packet)
        try decoder.send(packet)
      } else {
        isDraining = true
        try decoder.sendEnd()
      }
    } catch {
      guard error.isDamage else { throw error }
      if isInside { refusedPackets += 1 }
    }
  }

  /// Puts a decoded frame through the resampler, rebuilding it where the format has changed.
  private func accept(_ frame: consuming Frame) throws(FFmpegError) {
    let format = frame.audioFormat
    frameTimes.length =
      MediaTime(seconds: Ratio(Int64(frame.sampleCount), Int64(max(1, format.sampleRate))))
      .ticks(in: decoder.timeBase)
    if graph == nil || format != graphFormat {
      try drainGraph()
      graph = try FilterGraph.audio(Self.recipe(from: format, to: plan), from: [format])
      graphFormat = format
    }
    // Time stamps in samples from the origin, at the source's rate.
    frame.pts = frame.bestPTS.map { ticks in
      let time = MediaTime(ticks: ticks, timeBase: decoder.timeBase) + shift - origin
      return time.ticks(in: Ratio(1, Int64(max(1, format.sampleRate))))
    }
    try graph?.send(frame)
    try collect()
  }

  private var shift: MediaTime { edit?.shift ?? .zero }

  private func drainGraph() throws(FFmpegError) {
    guard graph != nil else { return }
    try graph?.sendEnd()
    try collect()
    graph = nil
  }

  private func collect() throws(FFmpegError) {
    while true {
      guard let pull = try graph?.receive(), case .value(let frame) = pull else { return }
      let kept = keptSamples(of: frame)
      guard !kept.isEmpty else { continue }
      let action = clock.push(
        start: frame.pts.map { $0 + Int64(kept.lowerBound) }, count: kept.count,
        isJump: isNewClock && frame.pts != nil)
      if frame.pts != nil { isNewClock = false }
      guard action.silence <= Self.maximumGapSeconds * plan.sampleRate else {
        hasEnded = true
        return
      }
      // More silence than the whole window is never taken.
      try queue.appendSilence(min(action.silence, Int(plan.samples) + 2 * plan.sampleRate))
      try queue.append(
        frame, from: kept.lowerBound + action.skip, limit: kept.count - action.skip)
    }
  }

  /// Which samples of a frame lie inside the part of the edit list.
  private func keptSamples(of frame: borrowing Frame) -> Range<Int> {
    guard let edit, let pts = frame.pts else { return 0..<frame.sampleCount }
    let tick = Ratio(1, Int64(plan.sampleRate))
    let start = (edit.start - origin).ticks(in: tick) - pts
    let end = (edit.end - origin).ticks(in: tick) - pts
    let count = Int64(frame.sampleCount)
    if end <= count { isEditOver = true }
    let lower = min(max(start, 0), count)
    return Int(lower)..<Int(min(max(end, lower), count))
  }

  /// From the decoder's format to planar float at the plan's rate and channels (libswresample's
  /// downmix, which keeps the centre). Channels without a known order: the first two are taken.
  static func recipe(from format: AudioFormat, to plan: AudioPlan) -> String {
    let layout = plan.channels == 1 ? "mono" : "stereo"
    let isUnordered = format.channelLayout.hasSuffix("channels")
    let pick =
      isUnordered ? (plan.channels == 1 ? "pan=mono|c0=c0," : "pan=stereo|c0=c0|c1=c1,") : ""
    return pick
      + "aresample=\(plan.sampleRate):out_chlayout=\(layout):out_sample_fmt=fltp,"
      + "aformat=sample_fmts=fltp:channel_layouts=\(layout)"
  }
}

/// The times of frames that share one packet of the container, which states that of the first alone.
///
/// libav computes the others by the sample rate that the stream began with.
private struct FrameTimes {
  /// Of what was decoded last, in ticks.
  var length: Int64 = 0
  /// Of the last packet that stated its time.
  private var stated: Int64?
  private var count: Int64 = 0

  mutating func correct(_ packet: borrowing Packet) {
    guard packet.position == nil, let stated, let pts = packet.pts else {
      self.stated = packet.position == nil ? nil : packet.pts
      count = 0
      return
    }
    count += 1
    // A tick is rounding.
    guard length > 0, (packet.duration - length).magnitude > 1 else { return }
    packet.shift(by: stated + count * length - pts)
  }
}
