import ReelsModel

/// What a decoder found, against what the tables promise.
extension Judge {
  var decodingFindings: [Finding] {
    guard let decoded else { return [] }
    var faults: [Fault] = []
    let firstFault =
      decoded.faultyFrame.map { "the frame at \($0.decimals(6)) s" }
      ?? decoded.faultyPacket.map { "packet \($0) of the sound" }
    if decoded.decodeErrors != 0 {
      faults.append(
        Fault("\(decoded.decodeErrors) damaged frames or packets", at: firstFault))
    }
    // A decoder honours edit lists, the tables are without them.
    let isWhole = evidence.file.movie.tracks.allSatisfy { $0.editListLocation == nil }
    if isWhole, let video = evidence.videoTimeline, decoded.framesDecoded != video.samples.count {
      faults.append(
        Fault(
          "\(decoded.framesDecoded) of \(video.samples.count) frames",
          at: firstFault ?? video.track.table.location))
    }
    // Where the bitstream says otherwise, the rule of colour tags is broken, not this one.
    let isTagged = evidence.sequences.allSatisfy { $0.color == .bt709 }
    if isTagged, decoded.color != .bt709 {
      faults.append(Fault("colours not tagged as BT.709, limited", at: "frame 0"))
    }
    if let size = evidence.sequences.first?.size, decoded.size != size {
      faults.append(
        Fault("frames of \(decoded.size) where the stream says \(size)", at: "frame 0"))
    }
    if isWhole, let audio = evidence.audioTimeline, let configuration = evidence.audioConfiguration
    {
      // A decoder may drop its first packet, or give the last one whole.
      let packet: Int64 = 1024
      // A packet that lasts longer than its samples is silence at its end.
      let promised = min(
        (audio.length.seconds * Ratio(Int64(configuration.sampleRate))).floor,
        Int64(audio.samples.count) * packet)
      if Int64(decoded.audioSamplesDecoded) < promised - packet {
        faults.append(
          Fault(
            "\(decoded.audioSamplesDecoded) of \(promised) samples of sound",
            at: firstFault ?? audio.track.table.location))
      }
    }
    return [
      judge(
        .decodable, found: "\(decoded.framesDecoded) frames, no errors",
        allowed: "every frame, no errors, tagged as BT.709", faults: faults)
    ]
  }
}
