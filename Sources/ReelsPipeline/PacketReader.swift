package import ReelsFFmpeg
package import ReelsModel

/// Reads the packets of one stream from a file of its own, so that streams never wait for each
/// other, however the container interleaves them.
package struct PacketReader: ~Copyable, Sendable {
  package let demuxer: Demuxer
  package let stream: Int
  package let timeBase: Ratio
  private let order: StampOrder
  private var restarts: ArraySlice<ClockRestart>
  /// Ticks, of the restarts that were passed.
  private var shift: Int64 = 0
  /// How many were.
  package private(set) var restartCount = 0
  private var lookahead: Packet?
  /// Where there are no time stamps, that of the next packet.
  private var counted: Int64 = 0

  /// DVDs tell a time every 0.7 s at least (ISO/IEC 13818-1 §2.7.4).
  private static let programSeconds: Int64 = 2

  /// Opens `path` so that the next packets include the one decoded at `time`; nil is the first
  /// packet.
  ///
  /// Formats without an index land on any packet, or behind the target: then it goes further back,
  /// and at last reads from the start. Where the clock begins anew, times are no place to go to.
  ///
  /// - Throws: what opening and reading meet.
  package static func open(
    _ path: FilePath, stream: Int, at time: MediaTime?, clock: SourceClock = SourceClock(),
    interrupt: Interrupt, decoding: Bool = true, ignoringEdits: Bool = false
  ) throws(FFmpegError) -> PacketReader {
    if let time, clock.order != .missing, clock.restarts.isEmpty {
      for backoff in [0, 1, 4, 16] as [Int64] {
        var reader = PacketReader(
          try Demuxer.open(
            path, interrupt: interrupt, decoding: decoding, ignoringEdits: ignoringEdits),
          stream: stream, clock: clock)
        // In a program stream libav guesses the times after a seek until a packet tells one.
        let back = max(backoff, reader.demuxer.formatName == "mpeg" ? Self.programSeconds : 0)
        guard reader.demuxer.seek(stream: stream, to: time - MediaTime(seconds: back)) else {
          break
        }
        guard let first = try reader.next() else { continue }
        let isBefore = (first.dts ?? first.pts).map {
          MediaTime(ticks: $0, timeBase: reader.timeBase) <= time
        }
        if isBefore == true {
          reader.lookahead = consume first
          return reader
        }
      }
    }
    return PacketReader(
      try Demuxer.open(
        path, interrupt: interrupt, decoding: decoding, ignoringEdits: ignoringEdits),
      stream: stream, clock: clock)
  }

  private init(_ demuxer: consuming Demuxer, stream: Int, clock: SourceClock) {
    self.order = clock.order
    self.restarts = clock.restarts[stream, default: []][...]
    demuxer.select([stream])
    self.timeBase = demuxer.timeBase(of: stream) ?? Ratio(1, 90_000)
    self.demuxer = demuxer
    self.stream = stream
    self.lookahead = nil
  }

  /// The next packet of the stream; nil at the end.
  package mutating func next() throws(FFmpegError) -> Packet? {
    if let packet = lookahead.take() { return packet }
    while case .value(let packet) = try demuxer.read() {
      guard packet.stream == stream else { continue }
      if let position = packet.position {
        while let next = restarts.first, position >= next.position {
          shift = next.shift.ticks(in: timeBase)
          restarts.removeFirst()
          restartCount += 1
        }
      }
      if shift != 0 { packet.shift(by: shift) }
      if order == .missing {
        packet.setDTS(counted)
        counted = counted.addingReportingOverflow(max(1, packet.duration)).partialValue
      }
      return packet
    }
    return nil
  }

  /// When a packet is shown, or at least decoded; nil where the container says neither.
  package func time(of packet: borrowing Packet) -> MediaTime? {
    stamp(of: packet).map { MediaTime(ticks: $0, timeBase: timeBase) }
  }

  /// The same in ticks.
  package func stamp(of packet: borrowing Packet) -> Int64? {
    switch order {
    case .presentation: packet.pts ?? packet.dts
    case .decoding, .missing: packet.dts ?? packet.pts
    }
  }
}
