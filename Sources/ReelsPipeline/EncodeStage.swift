internal import ReelsFFmpeg
internal import ReelsModel

/// Encodes every place of the output, and keeps the frame that makes the best cover.
struct EncodeStage: ~Copyable {
  let job: Transcode
  let encoder: Encoder

  init(job: Transcode, encoder: consuming Encoder) {
    self.job = job
    self.encoder = encoder
  }

  /// - Returns: how many frames the encoder took, and the cover.
  consuming func run(
    from input: Channel<PlacedPicture>, into output: Channel<Packet>
  ) throws -> (Int, Transcode.CoverPicture) {
    var encoded = 0
    var cover = CoverPicker(choice: job.cover, rate: job.video.frameRate, total: job.video.frames)
    while let picture = input.receive() {
      try cover.consider(picture.frame, picture.run)
      for place in picture.run.first..<(picture.run.first + picture.run.count) {
        // The same reference each time: a held frame costs no copy.
        picture.frame.pts = Int64(place)
        try encoder.send(picture.frame)
        encoded += 1
        guard try drain(into: output) else {
          input.cancel()
          throw CancellationError()
        }
        job.progress(encoded)
      }
    }
    guard encoded == job.video.frames else { throw TranscodeError.incomplete }
    try encoder.sendEnd()
    guard try drain(into: output) else { throw CancellationError() }
    return (encoded, try cover.finish())
  }

  private func drain(into output: Channel<Packet>) throws -> Bool {
    while case .value(let packet) = try encoder.receive() {
      packet.duration = 1
      if !output.send(packet) { return false }
    }
    return true
  }
}
