package import ReelsFFmpeg
package import ReelsModel

/// Reads the pictures of one track in presentation order, from a key frame on.
package struct VideoReader: ~Copyable, Sendable {
  private var packets: PacketReader
  private let decoder: Decoder
  /// The first key frame to decode; earlier packets are read but not decoded. nil once it has come.
  private var entry: MediaTime?
  private var isDraining = false
  private var lastTime: MediaTime?
  private var expected: ExpectedFrames
  /// Of key frames alone, one in this time; nil decodes all frames.
  private let keySpacing: MediaTime?
  /// When the last key packet was shown, of those alone.
  private var lastKey: MediaTime?
  /// Whether some packet so far was encrypted.
  package private(set) var isEncrypted = false
  /// Packets that the decoder refused.
  package private(set) var refusedPackets = 0
  /// How long the frames lasted that come before the file's time 0, which a Matroska block cannot say.
  package private(set) var beforeClock = MediaTime.zero

  package var timeBase: Ratio { decoder.timeBase }

  /// Opens `path` at the key frame with presentation time `entry`, decoded at `seek`; nil is the
  /// first packet.
  ///
  /// - Throws: what opening and seeking meet.
  package static func open(
    _ path: FilePath, stream: Int, entry: MediaTime?, seek: MediaTime? = nil, threads: Int,
    interrupt: Interrupt, clock: SourceClock = SourceClock(),
    skippingLoopFilter: Bool = false, keySpacing: MediaTime? = nil
  ) throws(FFmpegError) -> VideoReader {
    let packets = try PacketReader.open(
      path, stream: stream, at: entry == nil ? nil : seek ?? entry, clock: clock,
      interrupt: interrupt)
    if keySpacing != nil { packets.demuxer.selectKeys(of: stream) }
    let decoder = try Decoder.open(
      packets.demuxer, stream: stream, threads: threads, skippingLoopFilter: skippingLoopFilter)
    return VideoReader(
      packets: packets, decoder: decoder, entry: entry, order: clock.order,
      keySpacing: keySpacing)
  }

  private init(
    packets: consuming PacketReader, decoder: consuming Decoder, entry: MediaTime?,
    order: StampOrder, keySpacing: MediaTime?
  ) {
    self.keySpacing = keySpacing
    self.expected = ExpectedFrames(order: order)
    self.packets = packets
    self.decoder = decoder
    self.entry = entry
  }

  /// The next picture and its presentation time; nil at the end.
  ///
  /// A packet that does not decode is counted and passed over.
  ///
  /// - Throws: an interrupt, out of memory, a read error.
  package mutating func next() throws(FFmpegError) -> TimedPicture? {
    while true {
      do throws(FFmpegError) {
        switch try decoder.receive() {
        case .value(let frame):
          if isBeforeClock(frame) { continue }
          let missing = expected.arrived(frame.pts, delay: decoder.delay).map {
            MediaTime(ticks: $0, timeBase: decoder.timeBase)
          }
          let time = time(of: frame)
          return TimedPicture(frame: frame, time: time, missing: missing)
        case .end: return nil
        case .needsInput: if isDraining { return nil }
        }
      } catch {
        guard error.isDamage else { throw error }
        refusedPackets += 1
        // While draining, a broken frame must not end the loop early or keep it going for ever.
        if isDraining, refusedPackets > 10_000 { return nil }
        continue
      }
      try feed()
    }
  }

  /// When the first packet should have been shown, where that is before the first picture that came.
  package var beforeFirst: MediaTime? {
    expected.beforeFirst.map { MediaTime(ticks: $0, timeBase: decoder.timeBase) }
  }

  /// What the time stamps of the first packets say: where pictures are reordered and yet each packet is
  /// shown when it is decoded, they are of decoding. AVI has no others: what libav makes of them is right
  /// for MPEG-4, not always for H.264.
  package var stampOrder: StampOrder {
    guard expected.hasStamps else { return .missing }
    let isOfDecoding = !expected.hasReordered || isOfDecodingByFormat
    return decoder.reorders && isOfDecoding ? .decoding : .presentation
  }

  /// Whether the container has no times of showing for the codec.
  package var isOfDecodingByFormat: Bool {
    packets.demuxer.formatName == "avi" && decoder.codec == "h264"
  }

  /// What the container says of the track, and of how `frame` is to be shown.
  package func facts(of frame: borrowing Frame) -> TrackFacts {
    let stream = packets.stream
    return TrackFacts(
      sampleAspect: packets.demuxer.sampleAspect(of: stream, frame: frame) ?? Ratio(1),
      orientation: packets.demuxer.orientation(of: stream) ?? frame.orientation ?? .upright)
  }

  private mutating func feed() throws(FFmpegError) {
    guard let packet = try nextPacket() else {
      isDraining = true
      do throws(FFmpegError) { try decoder.sendEnd() } catch { if !error.isDamage { throw error } }
      return
    }
    if packet.isEncrypted { isEncrypted = true }
    if !packet.isDiscarded, decoder.shows(packet) {
      expected.sent(packets.stamp(of: packet), decoded: packet.dts)
    }
    do throws(FFmpegError) {
      try decoder.send(packet)
    } catch {
      guard error.isDamage else { throw error }
      refusedPackets += 1
    }
  }

  /// The next packet to decode; nil at the end.
  private mutating func nextPacket() throws(FFmpegError) -> Packet? {
    while let packet = try packets.next() {
      if let keySpacing {
        guard packet.isKey, let time = packets.time(of: packet) else { continue }
        if let lastKey, time < lastKey + keySpacing { continue }
        lastKey = time
        return packet
      }
      guard let entry else { return packet }
      if packet.isKey, let time = packets.time(of: packet), time >= entry {
        self.entry = nil
        return packet
      }
    }
    return nil
  }

  /// libav gives no time to blocks that lie before 0, but for sound, whose times it counts.
  private mutating func isBeforeClock(_ frame: borrowing Frame) -> Bool {
    guard lastTime == nil, frame.bestPTS == nil, expected.order == .presentation,
      packets.demuxer.formatName == "matroska"
    else { return false }
    beforeClock = beforeClock + MediaTime(ticks: max(frame.duration, 1), timeBase: decoder.timeBase)
    return true
  }

  private mutating func time(of frame: borrowing Frame) -> MediaTime {
    let time: MediaTime
    if expected.order != .presentation, let ticks = expected.last {
      time = MediaTime(ticks: ticks, timeBase: decoder.timeBase)
    } else if let ticks = frame.bestPTS {
      time = MediaTime(ticks: ticks, timeBase: decoder.timeBase)
    } else if let lastTime {
      let ticks = max(frame.duration, 1)
      time = lastTime + MediaTime(ticks: ticks, timeBase: decoder.timeBase)
    } else {
      time = .zero
    }
    lastTime = time
    return time
  }
}

/// What the container says of a video track.
package struct TrackFacts: Hashable, Sendable {
  package var sampleAspect: Ratio
  package var orientation: Orientation
}

/// A picture and when it is shown, in the file's own time.
package struct TimedPicture: ~Copyable, Sendable {
  package let frame: Frame
  package let time: MediaTime
  /// When frames should have been shown, since the picture before this one, that did not come.
  package let missing: [MediaTime]

  package consuming func takeFrame() -> Frame { frame }
}

extension FFmpegError {
  /// Whether only a part of the stream is lost, and going on makes sense.
  ///
  /// Decoders answer damage with any code, "out of memory" included, where there is plenty.
  package var isDamage: Bool {
    code != .interrupted && !(code == .outOfMemory && ProcessMemory.isExhausted)
  }
}
