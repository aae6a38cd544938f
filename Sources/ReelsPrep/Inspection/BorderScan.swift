internal import ReelsFFmpeg
internal import ReelsModel

/// Looks for black borders around a window's picture (libavfilter's `cropdetect`): what is black in every
/// picture looked at.
struct BorderScan {
  let samples: WindowSamples

  /// Borders narrower than this, in pixels, are not worth a crop: encoders pad sides to such multiples.
  private static let narrowest = 4
  /// A smaller part of the picture than this is something that moves in the dark.
  private static let leastShare = 0.2

  /// - Returns: what lies inside the borders, on even pixels; nil where there are none.
  func content() throws -> PixelRect? {
    let size = samples.survey.codedSize
    var graph: FilterGraph?
    var found: PixelRect?
    func read() throws {
      while let pull = try graph?.receive(), case .value(let frame) = pull {
        guard let x = frame.number("lavfi.cropdetect.x"),
          let y = frame.number("lavfi.cropdetect.y"),
          let width = frame.number("lavfi.cropdetect.w"),
          let height = frame.number("lavfi.cropdetect.h"), width > 0, height > 0
        else { continue }
        found = PixelRect(
          x: Int(x), y: Int(y), size: PixelSize(width: Int(width), height: Int(height)))
      }
    }
    try samples.visit { frame, timeBase in
      guard frame.size == size else { return }
      if graph == nil {
        graph = try FilterGraph.video(
          "scale=out_range=limited,format=gray,cropdetect=limit=\(Self.black):round=2:skip=0:reset=0",
          from: frame.videoFormat(timeBase: timeBase), threads: 1)
      }
      try graph?.send(try frame.shared())
      try read()
    }
    try graph?.sendEnd()
    try read()
    return found.flatMap { Self.usable($0, in: size) }
  }

  /// Of full scale; black is 16 of 255, and 8 more are noise.
  private static let black = 24.0 / 255

  /// On even pixels inside what was found, where that is a border at all.
  static func usable(_ found: PixelRect, in size: PixelSize) -> PixelRect? {
    let (left, top) = ((found.x + 1) & ~1, (found.y + 1) & ~1)
    let right = min(found.x + found.size.width, size.width) & ~1
    let bottom = min(found.y + found.size.height, size.height) & ~1
    let content = PixelRect(
      x: left, y: top, size: PixelSize(width: right - left, height: bottom - top))
    guard left >= 0, top >= 0, content.size.width > 0, content.size.height > 0,
      Double(content.size.area) >= leastShare * Double(size.area),
      size.width - content.size.width >= narrowest || size.height - content.size.height >= narrowest
    else { return nil }
    return content
  }
}
