internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Whether a track's packets can be taken as they are: AAC-LC that begins with the picture and goes on
/// without a hole to its end.
struct AudioCopyScan {
  let input: FilePath
  let track: AudioTrack
  /// The window, in the file's own time.
  let start: MediaTime
  let length: MediaTime
  let clock: SourceClock
  let limits: Preset.Limits
  let interrupt: Interrupt

  /// contract.md, "Copying".
  private static let tolerance = MediaTime(seconds: Ratio(1, 1_000))

  func scan() throws(CopyLadder.Stop) -> CopyDecision.SoundCopy {
    try checkFormat()
    let found: Found
    do throws(FFmpegError) {
      var reader = try PacketReader.open(
        input, stream: track.index, at: start - MediaTime(seconds: Ratio(1, 4)), clock: clock,
        interrupt: interrupt, decoding: false)
      found = try scan(&reader)
    } catch {
      throw .failed(error)
    }
    return try found.get()
  }

  private func checkFormat() throws(CopyLadder.Stop) {
    let codecs = limits.audioCodecs.value
    guard track.codec == "aac", track.profile == "LC", codecs.contains("aac") else {
      let name = track.profile.map { "\(track.codec) \($0)" } ?? track.codec
      throw .obstacle(.init(.audioCodec, "\(name) becomes AAC-LC"))
    }
    guard track.edits == nil else {
      throw .obstacle(.init(.noEditList, "its edit list cuts between packets"))
    }
    guard track.sampleRate <= limits.audioSampleRateMaximum.value else {
      throw .obstacle(
        .init(
          .audioSampleRate,
          "\(track.sampleRate) Hz, and at most "
            + "\(limits.audioSampleRateMaximum.value) Hz are taken"))
    }
    let channels = limits.audioChannels.value
    guard Double(track.channels) >= channels.minimum, Double(track.channels) <= channels.maximum
    else {
      throw .obstacle(
        .init(.audioChannels, "\(track.channels) channels become \(Int(channels.maximum))"))
    }
  }

  private typealias Found = Result<CopyDecision.SoundCopy, CopyLadder.Stop>

  private func scan(_ reader: inout PacketReader) throws(FFmpegError) -> Found {
    func blocked(_ because: String) -> Found {
      .failure(.obstacle(.init(.endsTogether, because)))
    }
    let configuration = try reader.demuxer.parameters(of: track.index).configuration
    let isTransport = configuration.isEmpty
    let notPlain = Found.failure(.obstacle(.init(.audioCodec, "its AAC is not plain AAC-LC")))
    guard isTransport || isPlain(configuration) else { return notPlain }
    var header: TransportHeader?
    let packetLength = MediaTime(
      seconds: Ratio(AudioPacket.samples, Int64(track.sampleRate)))
    let needed = Int(
      ((length - Self.tolerance).seconds * Ratio(Int64(track.sampleRate))
        / Ratio(AudioPacket.samples)).ceiling)
    var first: MediaTime?
    var count = 0
    var bytes = 0
    // How far packets are off the clock that the first one started.
    var drift = MediaTime.zero
    while count < needed {
      guard let packet = try reader.next() else { break }
      guard let time = reader.time(of: packet), !packet.changesConfiguration, !packet.isCorrupt
      else {
        return blocked("its packets have no times, change their kind, or are damaged")
      }
      if isTransport {
        guard let own = TransportHeader(packet), own == header ?? own,
          header != nil || isPlain(own.configuration)
        else { return notPlain }
        header = own
      }
      let size = packet.byteCount - (header?.byteCount ?? 0)
      guard let first else {
        if time < start - Self.tolerance { continue }
        guard time <= start + Self.tolerance else {
          let late = Self.milliseconds(time - start)
          return blocked("no packet begins within 1 ms of the picture, the next is \(late) ms late")
        }
        first = time
        (count, bytes) = (1, size)
        continue
      }
      let expected = first + MediaTime(seconds: packetLength.seconds * Ratio(Int64(count)))
      let off = time - expected
      guard max(off, .zero - off) <= Self.tolerance else {
        return blocked("its packets do not follow each other")
      }
      drift = drift + off
      count += 1
      bytes += size
    }
    guard let first, count == needed else {
      return blocked("it ends before the picture does")
    }
    // Matroska and FLV round to milliseconds: one stamp is half of one off, their mean is not. What is left is
    // the rounding of the picture's own.
    let begin = first + MediaTime(seconds: drift.seconds / Ratio(Int64(count)))
    let away = max(begin - start, start - begin)
    guard away <= Self.tolerance - MediaTime(seconds: reader.timeBase * Ratio(1, 2)) else {
      return blocked("no packet surely begins within 1 ms of the picture")
    }
    let seconds = length.doubleValue
    return .success(
      CopyDecision.SoundCopy(
        copy: AudioCopy(start: first, transportConfiguration: header?.configuration),
        packets: count, sampleRate: track.sampleRate,
        channels: track.channels,
        bitRate: BitsPerSecond(Int64((Double(bytes) * 8 / seconds).rounded(.up)))))
  }

  /// Whether an AudioSpecificConfig says what the track does, and no more than AAC-LC.
  private func isPlain(_ configuration: [UInt8]) -> Bool {
    let specific = try? AudioConfiguration(
      specific: configuration[...], indication: 0x40, location: "the AudioSpecificConfig")
    guard let specific else { return false }
    return specific.isAACLowComplexity && specific.sampleRate == track.sampleRate
      && specific.channels == track.channels
  }

  private static func milliseconds(_ time: MediaTime) -> String {
    MediaTime(seconds: time.seconds * Ratio(1_000)).decimals(1)
  }
}
