private import Foundation
internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Decodes a finished file whole, for the facts that only a decoder knows.
///
/// The picture is decoded in two halves side by side, one thread each: frame threads inside a
/// decoder cost a tenth more CPU.
struct OutputDecoder: Sendable {
  let file: FilePath
  /// Of the video, from the plan.
  let duration: MediaTime

  /// - Throws: `FFmpegError` where the file cannot be read, or `CancellationError`.
  func facts() async throws -> DecodedFacts {
    let demuxed = try await blocking("verify") { interrupt in
      TrackList(try Demuxer.open(file, interrupt: interrupt))
    }
    let interrupt = Interrupt()
    let executor = StageExecutor()
    executor.onStop { interrupt.request() }
    let parts = Parts()
    if let track = demuxed.video.first {
      executor.start("verify second half") {
        try decodeVideo(track, executor: executor, parts: parts, interrupt: interrupt)
      }
    }
    if let track = demuxed.audio.first {
      executor.start("verify sound") {
        try parts.add(Self.decodeAudio(file, track, interrupt))
      }
    }
    try await executor.wait()
    return parts.sum
  }

  /// Decodes the second half here, and the first on a thread that it starts: what the second half
  /// begins with is where the first one ends.
  private func decodeVideo(
    _ track: VideoTrack, executor: StageExecutor, parts: Parts, interrupt: Interrupt
  ) throws {
    let middle = MediaTime(seconds: duration.seconds * Ratio(1, 2))
    var second = try VideoReader.open(
      file, stream: track.index, entry: middle, threads: 1, interrupt: interrupt,
      skippingLoopFilter: true)
    var border: MediaTime?
    if let picture = try second.next() {
      border = picture.time
      parts.add(Self.facts(of: picture.frame, at: picture.time))
    }
    let end = border
    executor.start("verify first half") {
      var first = try VideoReader.open(
        file, stream: track.index, entry: nil, threads: 1, interrupt: interrupt,
        skippingLoopFilter: true)
      parts.add(try Self.decodeVideo(&first, until: end))
    }
    parts.add(try Self.decodeVideo(&second, until: nil))
  }

  private static let none = DecodedFacts(
    framesDecoded: 0, decodeErrors: 0, color: ColorDescription(),
    size: PixelSize(width: 0, height: 0), audioSamplesDecoded: 0)

  private static func facts(of frame: borrowing Frame, at time: MediaTime) -> DecodedFacts {
    DecodedFacts(
      framesDecoded: 1, decodeErrors: frame.isDamaged ? 1 : 0,
      faultyFrame: frame.isDamaged ? time : nil, color: frame.color,
      size: frame.size, audioSamplesDecoded: 0)
  }

  /// The loop filter is left out: it changes pixels, not what decodes.
  private static func decodeVideo(
    _ reader: inout VideoReader, until border: MediaTime?
  ) throws(FFmpegError) -> DecodedFacts {
    var facts = Self.none
    while let picture = try reader.next() {
      if let border, picture.time >= border { break }
      facts.add(Self.facts(of: picture.frame, at: picture.time))
      // What was refused belongs before the frame that came instead.
      if reader.refusedPackets > 0, facts.faultyFrame == nil { facts.faultyFrame = picture.time }
    }
    facts.decodeErrors += reader.refusedPackets
    return facts
  }

  private static func decodeAudio(
    _ file: FilePath, _ track: AudioTrack, _ interrupt: Interrupt
  ) throws(FFmpegError) -> DecodedFacts {
    var facts = Self.none
    var packets = try PacketReader.open(file, stream: track.index, at: nil, interrupt: interrupt)
    let decoder = try Decoder.open(packets.demuxer, stream: track.index, threads: 1)
    var isDraining = false
    var packetCount = 0
    while true {
      do throws(FFmpegError) {
        switch try decoder.receive() {
        case .value(let frame):
          facts.audioSamplesDecoded += frame.sampleCount
          facts.soundRate = frame.sampleRate
          continue
        case .end: return facts
        case .needsInput: if isDraining { return facts }
        }
        if let packet = try packets.next() {
          packetCount += 1
          try decoder.send(packet)
        } else {
          isDraining = true
          try decoder.sendEnd()
        }
      } catch {
        guard error.isDamage else { throw error }
        facts.decodeErrors += 1
        if facts.faultyPacket == nil { facts.faultyPacket = packetCount - 1 }
        if isDraining { return facts }
      }
    }
  }

  /// The sum of what the threads found.
  private final class Parts: @unchecked Sendable {
    // Sound to share: the sum is only touched under the lock.
    private let lock = NSLock()
    private var facts = OutputDecoder.none

    func add(_ part: DecodedFacts) { lock.withLock { facts.add(part) } }

    var sum: DecodedFacts { lock.withLock { facts } }
  }
}
