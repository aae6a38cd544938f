internal import ReelsFFmpeg
internal import ReelsModel

/// A still picture of a payload.
struct StillFile: Sendable {
  /// As in "sticker.png".
  var name: String
  /// "image/png" or "image/jpeg".
  var mediaType: String
  var size: PixelSize
  var bytes: [UInt8]
  var warnings: [Warning]

  /// Steps of the JPEG's scale of 1 to 31; with whole chroma no difference is seen.
  private static let jpegQuality = 1

  /// A PNG where the picture lets something shine through; else a PNG or a JPEG, whichever is
  /// smaller.
  ///
  /// - Parameter picture: "rgb24" or "rgba", sRGB.
  /// - Throws: where libavcodec or libavfilter cannot.
  init(
    _ picture: borrowing Frame, png pngName: String, jpeg jpegName: String
  ) throws(FFmpegError) {
    let hasAlpha = picture.pixelFormat?.hasAlpha ?? false
    (name, mediaType) = (pngName, "image/png")
    (size, warnings) = (picture.size, [])
    bytes = try Encoder.png(size: picture.size, hasAlpha: hasAlpha).encodeStill(picture)
    if hasAlpha { return }
    let graph = try FilterGraph.video(
      "scale=out_color_matrix=bt601:out_range=full:flags=accurate_rnd+full_chroma_int"
        + ",format=yuvj444p",
      from: picture.videoFormat(timeBase: Ratio(1, 25)), threads: 1)
    try graph.send(picture)
    try graph.sendEnd()
    guard case .value(let converted) = try graph.receive() else { return }
    let jpeg = try Encoder.jpeg(
      size: picture.size, quality: Self.jpegQuality, wholeChroma: true
    ).encodeStill(converted)
    guard jpeg.count < bytes.count else { return }
    (name, mediaType, bytes) = (jpegName, "image/jpeg", jpeg)
  }
}
