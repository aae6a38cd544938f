internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Prepares the sticker: a still picture, upright, fitted, as PNG.
struct Sticker {
  let path: FilePath
  /// The largest size; a smaller picture is not enlarged.
  let canvas: PixelSize
  let interrupt: Interrupt

  private var name: String { path.lastComponent.description }
  private static let openSeconds = 10.0

  /// - Returns: the PNG's bytes.
  /// - Throws: `PrepError` for what is no picture, or has more than one.
  func png() throws -> [UInt8] {
    _ = try InputFile.check(path)
    do {
      interrupt.limit(seconds: Self.openSeconds)
      defer { interrupt.limit(seconds: nil) }
      let demuxer = try Demuxer.open(path, interrupt: interrupt)
      guard case .video(let track)? = demuxer.tracks.first, demuxer.formatName.hasSuffix("_pipe")
      else {
        throw refused("is not a JPEG, PNG or WebP picture")
      }
      var reader = try VideoReader.open(
        path, stream: track.index, entry: nil, threads: 1, interrupt: interrupt)
      guard let picture = try reader.next(), let pixels = picture.frame.pixelFormat else {
        throw refused("cannot be decoded as a picture")
      }
      return try encode(
        picture.frame, pixels: pixels, orientation: reader.facts(of: picture.frame).orientation)
    } catch let error as FFmpegError {
      if interrupt.isRequested { throw CancellationError() }
      throw refused("cannot be read as a picture: \(error.meaning)")
    }
  }

  private func encode(
    _ frame: borrowing Frame, pixels: PixelFormatInfo, orientation: Orientation
  ) throws -> [UInt8] {
    let display = PictureFit.displaySize(
      frame.size, sampleAspect: Ratio(1), orientation: orientation)
    let scale = min(
      1, Double(canvas.width) / Double(display.width),
      Double(canvas.height) / Double(display.height))
    let size = PixelSize(
      width: max(1, Int((Double(display.width) * scale).rounded())),
      height: max(1, Int((Double(display.height) * scale).rounded())))
    let stored = orientation.exchangesSides ? size.turned : size
    let turns = FilterRecipe.turns(orientation).map { ",\($0)" }.joined()
    let graph = try FilterGraph.video(
      "scale=\(stored.width):\(stored.height):flags=lanczos+accurate_rnd+full_chroma_int\(turns),"
        + "format=\(pixels.hasAlpha ? "rgba" : "rgb24")",
      from: frame.videoFormat(timeBase: Ratio(1, 25)), threads: 1)
    frame.pts = 0
    try graph.send(frame)
    try graph.sendEnd()
    guard case .value(let fitted) = try graph.receive() else {
      throw refused("cannot be scaled")
    }
    let encoder = try Encoder.png(size: fitted.size, hasAlpha: pixels.hasAlpha)
    return try encoder.encodeStill(fitted)
  }

  private func refused(_ fact: String) -> PrepError {
    PrepError(
      code: .badSticker, sentence: "sticker \(name) \(fact); give a JPEG or a PNG", blame: .input)
  }
}
