internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Decodes a finished file whole, for the facts that only a decoder knows.
struct OutputDecoder {
  let file: FilePath
  let threads: Int
  let interrupt: Interrupt

  func facts() throws(FFmpegError) -> DecodedFacts {
    let demuxer = try Demuxer.open(file, interrupt: interrupt)
    var facts = DecodedFacts(
      framesDecoded: 0, decodeErrors: 0, color: ColorDescription(),
      size: PixelSize(width: 0, height: 0), audioSamplesDecoded: 0)
    for track in demuxer.tracks {
      switch track {
      case .video(let track): try decodeVideo(track, into: &facts)
      case .audio(let track): try decodeAudio(track, into: &facts)
      case .attachedPicture, .other: continue
      }
    }
    return facts
  }

  /// The loop filter is left out: it changes pixels, not what decodes.
  private func decodeVideo(_ track: VideoTrack, into facts: inout DecodedFacts) throws(FFmpegError)
  {
    var reader = try VideoReader.open(
      file, stream: track.index, entry: nil, threads: threads, interrupt: interrupt,
      skippingLoopFilter: true)
    while let picture = try reader.next() {
      facts.framesDecoded += 1
      if picture.frame.isDamaged { facts.decodeErrors += 1 }
      facts.color = picture.frame.color
      facts.size = picture.frame.size
    }
    facts.decodeErrors += reader.refusedPackets
  }

  private func decodeAudio(_ track: AudioTrack, into facts: inout DecodedFacts) throws(FFmpegError)
  {
    var packets = try PacketReader.open(file, stream: track.index, at: nil, interrupt: interrupt)
    let decoder = try Decoder.open(packets.demuxer, stream: track.index, threads: 1)
    var isDraining = false
    while true {
      do throws(FFmpegError) {
        switch try decoder.receive() {
        case .value(let frame):
          facts.audioSamplesDecoded += frame.sampleCount
          continue
        case .end: return
        case .needsInput: if isDraining { return }
        }
        if let packet = try packets.next() {
          try decoder.send(packet)
        } else {
          isDraining = true
          try decoder.sendEnd()
        }
      } catch {
        guard error.isDamage else { throw error }
        facts.decodeErrors += 1
        if isDraining { return }
      }
    }
  }
}
