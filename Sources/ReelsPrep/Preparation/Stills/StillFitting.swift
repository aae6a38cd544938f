internal import ReelsFFmpeg
internal import ReelsModel

/// Scales a decoded picture and turns it upright.
struct StillFitting {
  /// As it is stored.
  let source: PixelSize
  /// Upright.
  let size: PixelSize
  let orientation: Orientation

  /// Of a picture of 8 bits with more pixels, alpha is multiplied in 8 bits: at 16 it would take
  /// 400 MB, and each result is the mean of 25 and more.
  private static let manyPixels = 8_000_000

  private var stored: PixelSize { orientation.exchangesSides ? size.turned : size }

  private var scale: String { scale("lanczos") }

  private func scale(_ kernel: String) -> String {
    "scale=\(stored.width):\(stored.height)"
      + ":flags=\(kernel)+accurate_rnd+full_chroma_int+full_chroma_inp:sws_dither=none"
  }

  private var turns: String { FilterRecipe.turns(orientation).map { ",\($0)" }.joined() }

  /// Red, green, blue and alpha of 16 bits in the picture's own colours.
  ///
  /// Colours are multiplied by alpha around the scaling: else the colour of what cannot be seen,
  /// often black, would show along edges.
  ///
  /// - Throws: where libavfilter cannot.
  func colors(_ frame: borrowing Frame) throws(FFmpegError) -> PixelBlock<UInt16> {
    let hasAlpha = frame.pixelFormat?.hasAlpha ?? false
    let isDeep = frame.pixelFormat?.bitDepth ?? 8 > 8
    // From 8 bits to 16 libswscale makes 255 65,280, and what is opaque would shine through.
    let result = isDeep ? "rgba64le" : "rgba"
    guard hasAlpha, stored != source else {
      return try run("\(scale)\(turns),format=\(result)", frame).rgba16 ?? Self.nothing
    }
    let planes = isDeep || source.area <= Self.manyPixels ? "gbrap16le" : "gbrap"
    return try run(
      // Lanczos's wider lobes make of white at an alpha of 20 a grey of 231, bicubic's of 248.
      "format=\(planes),premultiply=inplace=1,\(scale("bicubic")),format=\(planes)"
        + ",unpremultiply=inplace=1\(turns),format=\(result)", frame
    ).rgba16 ?? Self.nothing
  }

  /// Cyan, magenta, yellow and black of 16 bits, 0 where there is no ink.
  ///
  /// - Throws: where libavfilter cannot.
  func inks(
    _ frame: borrowing Frame, _ inks: StillSource.Inks
  ) throws(FFmpegError) -> PixelBlock<UInt16> {
    let fitted: Frame
    // Where planes lie, and whether 255 is no ink.
    let places: [(plane: Int, isInverted: Bool)]
    switch inks {
    case .cmyk:
      fitted = try run("\(scale)\(turns),format=yuva444p", frame)
      places = [(0, true), (1, true), (2, true), (3, true)]
    case .ycck:
      // Green, blue, red: what comes out is the amount of magenta, yellow and cyan.
      fitted = try run(
        "\(scale):in_range=full:in_color_matrix=bt601\(turns),format=gbrap", frame)
      places = [(2, false), (0, false), (1, false), (3, true)]
    }
    var samples = [UInt16](repeating: 0, count: fitted.size.area * 4)
    for (channel, place) in places.enumerated() {
      for (index, value) in (fitted.plane(place.plane) ?? []).enumerated() {
        samples[index * 4 + channel] = UInt16(place.isInverted ? 255 - value : value) * 257
      }
    }
    return PixelBlock(size: fitted.size, channels: 4, samples: samples)
  }

  private static let nothing = PixelBlock<UInt16>(
    size: PixelSize(width: 0, height: 0), channels: 4, samples: [])

  private func run(
    _ description: String, _ frame: borrowing Frame
  ) throws(FFmpegError) -> Frame {
    let graph = try FilterGraph.video(
      description, from: frame.videoFormat(timeBase: Ratio(1, 25)), threads: 1)
    frame.pts = 0
    try graph.send(frame)
    try graph.sendEnd()
    guard case .value(let filtered) = try graph.receive() else {
      throw FFmpegError(
        code: .invalidData, operation: "scale", subject: description, detail: nil)
    }
    return filtered
  }
}
