internal import ReelsFFmpeg
internal import ReelsModel

/// Prepares the picture behind a story's sticker: upright, fitted, opaque, in 8-bit sRGB, without
/// metadata.
struct StoryPicture {
  let request: Request
  let preset: Preset
  let interrupt: Interrupt

  private var reader: StillReader {
    StillReader(path: request.input, use: .picture, interrupt: interrupt)
  }

  /// Reads the file's header, and decodes nothing.
  ///
  /// - Throws: `PrepError` for what is no picture, and for one that does not do in this fit.
  func geometry() throws -> StoryPlan.Geometry { try geometry(of: reader.source()) }

  /// A PNG or a JPEG, whichever is smaller.
  ///
  /// - Throws: `PrepError` as above, and for a damaged picture; `CancellationError`.
  func made() throws -> StillFile {
    let reader = reader
    let source = try reader.source()
    let geometry = try geometry(of: source)
    var warnings: [Warning] = []
    let picture = try reader.pixels(of: source, &warnings) { _ in geometry.picture }
    if interrupt.isRequested { throw CancellationError() }
    do throws(FFmpegError) {
      var made = try StillFile(
        composed(picture, geometry), png: PayloadFile.backgroundPNG,
        jpeg: PayloadFile.backgroundJPEG)
      made.warnings = warnings
      return made
    } catch {
      throw reader.refused("cannot be written (\(error.meaning))")
    }
  }

  // MARK: Geometry

  private func geometry(of source: StillSource) throws(PrepError) -> StoryPlan.Geometry {
    let shown = source.orientation.exchangesSides ? source.size.turned : source.size
    let canvas = try canvas()
    let fit = request.fit
    let picture =
      switch fit {
      case .keep: PictureFit.inside(shown, canvas: canvas, enlarging: false)
      case .pad, .blur: PictureFit.inside(shown, canvas: canvas, enlarging: true)
      case .crop: PictureFit.covering(shown, canvas: canvas)
      }
    guard picture.width <= Self.maximumSide, picture.height <= Self.maximumSide,
      picture.area <= StillReader.maximumPixels
    else {
      throw reader.refused("is \(shown), too long to fill \(canvas)", "use --fit pad or blur")
    }
    let result = fit == .keep ? picture : canvas
    if let least = preset.limits.leastSize, least.severity == .hard,
      result.width < least.value.width || result.height < least.value.height
    {
      throw PrepError(
        code: .badOption,
        sentence: "\(request.input.lastComponent) would be \(result), and \(preset.title) takes "
          + "\(least.value) or more; use --fit pad, crop or blur", blame: .input)
    }
    return StoryPlan.Geometry(source: shown, fit: fit, picture: picture, canvas: result)
  }

  /// What libswscale takes of a side is more; a picture is cut to the canvas right after.
  private static let maximumSide = 32_768

  private func canvas() throws(PrepError) -> PixelSize {
    let preferred = preset.limits.canvas.value
    guard let asked = request.canvas else { return preferred }
    guard asked.width <= preferred.width, asked.height <= preferred.height else {
      throw PrepError(
        code: .badOption,
        sentence: "--canvas \(asked) does not do: a story's picture fits into \(preferred)",
        blame: .input)
    }
    return asked
  }

  // MARK: Picture

  /// On its canvas, as "rgb24".
  private func composed(
    _ picture: PixelBlock<UInt8>, _ geometry: StoryPlan.Geometry
  ) throws(FFmpegError) -> Frame {
    let frame = try Frame.picture(picture)
    var stages: [String] = []
    if picture.channels == 4 { stages.append(FilterRecipe.flattened(over: request.padColor)) }
    stages += fitted(geometry)
    if stages.isEmpty { return frame }
    let graph = try FilterGraph.video(
      (stages + ["format=rgb24"]).joined(separator: ","),
      from: frame.videoFormat(timeBase: Ratio(1, 25)), threads: 1)
    try graph.send(frame)
    try graph.sendEnd()
    guard case .value(let composed) = try graph.receive() else {
      throw FFmpegError(code: .invalidData, operation: "filter", subject: "picture", detail: nil)
    }
    return composed
  }

  private func fitted(_ geometry: StoryPlan.Geometry) -> [String] {
    let (picture, canvas) = (geometry.picture, geometry.canvas)
    if picture == canvas { return [] }
    let (left, top) = ((canvas.width - picture.width) / 2, (canvas.height - picture.height) / 2)
    let size = "\(canvas.width):\(canvas.height)"
    switch geometry.fit {
    case .crop:
      let (x, y) = PictureFit.offset(
        of: picture, over: canvas, focus: request.cropFocus ?? .centre)
      return ["crop=\(size):\(x):\(y):exact=1"]
    case .keep, .pad:
      return ["pad=\(size):\(left):\(top):color=\(request.padColor.hexadecimal)"]
    case .blur:
      return [
        "format=gbrp",
        FilterRecipe.blurred(picture, canvas: canvas, at: (left, top), overlay: "gbrp"),
      ]
    }
  }
}
