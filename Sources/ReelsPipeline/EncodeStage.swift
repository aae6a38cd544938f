internal import ReelsFFmpeg
internal import ReelsModel

/// Encodes a lane's ranges, each with a new encoder, and keeps the frame that makes the best cover.
struct EncodeStage {
  let job: Transcode

  private var plan: VideoPlan { job.video }

  /// - Returns: how many frames the encoders took, and the lane's best cover.
  func run(
    from input: Channel<PlacedPicture>, into packets: [Channel<Packet>]
  ) throws -> (Int, Transcode.CoverPicture?) {
    var encoder: Encoder?
    var range: Int?
    var encoded = 0
    var total = 0
    var cover = CoverPicker(choice: job.cover, rate: plan.frameRate, total: plan.frames)

    func finish() throws {
      guard encoder != nil, let range else { return }
      guard encoded == plan.ranges[range].count else { throw TranscodeError.incomplete }
      try encoder?.sendEnd()
      try drain(encoder, into: packets[range])
      packets[range].finish()
      total += encoded
      encoded = 0
    }

    while let picture = input.receive() {
      if picture.range != range {
        try finish()
        range = picture.range
        encoder = try Encoder.h264(
          size: plan.geometry.canvas, frameRate: plan.frameRate, encoding: plan.encoding)
        cover.beginRange(at: picture.run.first)
      }
      try cover.consider(picture.frame, picture.run)
      for place in picture.run.first..<(picture.run.first + picture.run.count) {
        // The same reference each time: a held frame costs no copy.
        picture.frame.pts = Int64(place)
        try encoder?.send(picture.frame)
        encoded += 1
        try drain(encoder, into: packets[picture.range])
        job.progress(1)
      }
    }
    try finish()
    return (total, try cover.finish())
  }

  private func drain(_ encoder: borrowing Encoder?, into output: Channel<Packet>) throws {
    while let pull = try encoder?.receive(), case .value(let packet) = pull {
      packet.duration = 1
      guard output.send(packet) else { throw CancellationError() }
    }
  }
}
