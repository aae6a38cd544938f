internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// libavfilter's description of how a decoded picture becomes an 8-bit 4:2:0 BT.709 one on the
/// output's canvas.
struct FilterRecipe: Sendable {
  private(set) var geometry: VideoPlan.Geometry
  let color: VideoPlan.ColorPlan
  let deinterlace: Bool
  /// The format that the plan was made for; another one mid-stream is fitted anew.
  let planned: PictureFormat?
  /// Whether libavfilter has zscale; swscale's Lanczos takes 1.8 times as long.
  let hasZscale: Bool
  private var isSmall = false
  private let cubes = ColorCubes()

  init(_ plan: VideoPlan, planned: PictureFormat?, hasZscale: Bool) {
    geometry = plan.geometry
    color = plan.color
    deinterlace = plan.deinterlace
    self.planned = planned
    self.hasZscale = hasZscale
  }

  /// The whole chain for frames of `format`.
  func recipe(for format: PictureFormat) -> PictureRecipe {
    if isSmall { return PictureRecipe(smallDescription(for: format)) }
    var stages: [String] = []
    var size = format.size
    var pixels = format.pixelFormat
    var source = source(of: format)
    if deinterlace || format.isInterlaced {
      stages.append("bwdif=mode=send_frame:parity=auto:deint=interlaced")
    }
    if let part = part(of: format) {
      stages.append("crop=\(part.size.width):\(part.size.height):\(part.x):\(part.y):exact=1")
      size = part.size
    }
    if pixels.hasAlpha {
      stages.append(flattened(source))
      pixels.isRGB = true
      (pixels.chromaShiftX, pixels.chromaShiftY) = (0, 0)
      source = ColorDescription(
        primaries: source.primaries, transfer: source.transfer, matrix: .rgb, range: .full)
    }
    // Chroma that covers half a pixel too many would show as an edge.
    let whole = PixelSize(
      width: pixels.chromaShiftX > 0 ? size.width & ~1 : size.width,
      height: pixels.chromaShiftY > 0 ? size.height & ~1 : size.height)
    let target = picture(for: format)
    let stored = geometry.orientation.exchangesSides ? target.turned : target
    // A side that is one too long is cut, not squeezed.
    let cut = isCut(from: whole, to: stored, format: format) ? stored : whole
    if cut != size, cut.width > 0, cut.height > 0 {
      stages.append("crop=\(cut.width):\(cut.height):0:0:exact=1")
      size = cut
    }
    let rest = Self.turns(geometry.orientation) + fitted(target) + ["setsar=1"]
    if source.transfer.isHDR {
      return toneMapped(stages, from: source, size: size, to: stored, rest: rest)
    }
    stages += converted(from: source, pixels: pixels, size: size, to: stored) + rest
    return PictureRecipe(stages.joined(separator: ","))
  }

  /// The same picture on a canvas that is `divisor` times smaller, as cheaply as can be: for what moves
  /// and where detail is, not for colours.
  func small(_ divisor: Int) -> FilterRecipe {
    var copy = self
    copy.geometry.canvas = geometry.canvas.divided(by: divisor)
    copy.geometry.picture = geometry.picture.divided(by: divisor)
    copy.isSmall = true
    return copy
  }

  /// By `fast_bilinear`, which drops samples instead of averaging them: noise stays as hard to predict as
  /// it is at full size.
  private func smallDescription(for format: PictureFormat) -> String {
    let target = picture(for: format)
    let stored = geometry.orientation.exchangesSides ? target.turned : target
    let cut = part(of: format).map {
      ["crop=\($0.size.width):\($0.size.height):\($0.x):\($0.y):exact=1"]
    }
    let stages =
      (cut ?? []) + [
        "scale=w=\(stored.width):h=\(stored.height):flags=fast_bilinear", "format=yuv420p",
      ]
      + Self.turns(geometry.orientation) + fitted(target) + ["setsar=1"]
    return stages.joined(separator: ",")
  }

  /// What is inside the borders, in frames of the planned size.
  private func part(of format: PictureFormat) -> PixelRect? {
    planned == nil || planned?.size == format.size ? geometry.part : nil
  }

  /// What the frame's values mean: the plan's reading, unless the stream has changed its tags.
  private func source(of format: PictureFormat) -> ColorDescription {
    guard let planned, planned.color != format.color || planned.pixelFormat != format.pixelFormat
    else { return color.source }
    return ColorReading.resolve(format.color, pixels: format.pixelFormat, size: format.size)
  }

  /// The scaled picture's size, upright.
  private func picture(for format: PictureFormat) -> PixelSize {
    guard let planned, planned.size != format.size || planned.sampleAspect != format.sampleAspect
    else { return geometry.picture }
    let display = PictureFit.displaySize(
      part(of: format)?.size ?? format.size, sampleAspect: format.sampleAspect ?? Ratio(1),
      orientation: geometry.orientation)
    return geometry.fit == .crop
      ? PictureFit.covering(display, canvas: geometry.canvas)
      : PictureFit.inside(display, canvas: geometry.canvas, enlarging: true)
  }

  private func isCut(from size: PixelSize, to target: PixelSize, format: PictureFormat) -> Bool {
    (format.sampleAspect ?? Ratio(1)) == Ratio(1)
      && (0...1).contains(size.width - target.width)
      && (0...1).contains(size.height - target.height)
  }

  /// Alpha over the canvas colour, composited in RGB so that no edge is darkened.
  private func flattened(_ source: ColorDescription) -> String {
    let matrix = Self.swscaleMatrix(source.matrix)
    return "scale=in_color_matrix=\(matrix):in_range=\(Self.range(source.range))"
      + ":flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=rgba,"
      + Self.flattened(over: geometry.padColor)
  }

  /// "rgba" over a colour, as "gbrp".
  static func flattened(over color: RGBColor) -> String {
    // Not drawbox: FFmpeg 5.1's crashes where it replaces packed RGB with alpha.
    let fill = "lutrgb=r=\(color.red):g=\(color.green):b=\(color.blue):a=255"
    return "split[alpha][canvas];[canvas]\(fill)[filled]"
      + ";[filled][alpha]overlay=format=gbrp:alpha=straight,format=gbrp"
  }

  /// The filters that turn a stored picture upright.
  static func turns(_ orientation: Orientation) -> [String] {
    let turns = ["", "transpose=clock", "hflip,vflip", "transpose=cclock"][orientation.quarterTurns]
    return (orientation.mirrored ? ["hflip"] : []) + (turns.isEmpty ? [] : [turns])
  }

  /// Size, matrix, primaries, transfer, range and depth, each converted once.
  private func converted(
    from source: ColorDescription, pixels: PixelFormatInfo, size: PixelSize, to target: PixelSize
  ) -> [String] {
    if source == .bt709, pixels.name == "yuv420p", size == target { return [] }
    // zimg takes no side that its chroma does not divide; what is left of these is tiny.
    let isOdd =
      size.width % (1 << pixels.chromaShiftX) != 0 || size.height % (1 << pixels.chromaShiftY) != 0
    guard hasZscale, !isOdd else {
      return [
        "scale=w=\(target.width):h=\(target.height):flags=lanczos+accurate_rnd+full_chroma_int"
          + ":in_color_matrix=\(Self.swscaleMatrix(source.matrix))"
          + ":in_range=\(Self.range(source.range)):out_color_matrix=bt709:out_range=limited",
        "format=yuv420p",
      ]
    }
    let dither = pixels.bitDepth > 8 || pixels.isRGB ? ":d=ordered" : ""
    return [
      "zscale=w=\(target.width):h=\(target.height):f=lanczos"
        + ":min=\(Self.zscaleMatrix(source.matrix)):pin=\(source.primaries.rawValue)"
        + ":rin=\(Self.range(source.range)):tin=709:m=709:p=709:t=709:r=limited\(dither)",
      "format=yuv420p",
    ]
  }

  /// As `converted`, for light that SDR has not: scaled as it is stored, then by a table.
  private func toneMapped(
    _ stages: [String], from source: ColorDescription, size: PixelSize, to target: PixelSize,
    rest: [String]
  ) -> PictureRecipe {
    var stages = stages
    var source = source
    if !LightMap.isKnown(source.matrix) {
      stages.append(
        "zscale=min=\(Self.zscaleMatrix(source.matrix)):tin=\(source.transfer.rawValue)"
          + ":pin=\(source.primaries.rawValue):rin=\(Self.range(source.range)):m=2020_ncl"
          + ":r=limited")
      (source.matrix, source.range) = (.bt2020NonConstant, .limited)
    }
    if size != target {
      stages.append(
        hasZscale
          ? "zscale=w=\(target.width):h=\(target.height):f=lanczos"
          : "scale=w=\(target.width):h=\(target.height):flags=lanczos+accurate_rnd")
    }
    stages.append("format=\(ColorCube.input)")
    let map = LightMap(source: source, curve: ToneCurve(statedPeak: color.peakLuminance))
    return PictureRecipe(
      stages.joined(separator: ","),
      tone: .init(cube: cubes.cube(of: map), filters: rest.joined(separator: ",")))
  }

  private func fitted(_ picture: PixelSize) -> [String] {
    let canvas = geometry.canvas
    guard picture != canvas else { return [] }
    let size = "\(canvas.width):\(canvas.height)"
    let left = (canvas.width - picture.width) / 4 * 2
    let top = (canvas.height - picture.height) / 4 * 2
    switch geometry.fit {
    case .crop:
      let (x, y) = PictureFit.offset(of: picture, over: canvas, focus: geometry.focus)
      return ["crop=\(size):\(x):\(y)"]
    case .keep, .pad: return padded("pad=\(size):\(left):\(top)")
    case .blur:
      return [Self.blurred(picture, canvas: canvas, at: (left, top)), "format=yuv420p"]
    }
  }

  /// The picture over a blurred, filling copy of itself.
  static func blurred(
    _ picture: PixelSize, canvas: PixelSize, at place: (x: Int, y: Int), overlay: String = "yuv420"
  ) -> String {
    // The backdrop is blurred at an eighth of the size, where it costs next to nothing.
    let small = canvas.divided(by: 8)
    let cover = PictureFit.covering(picture, canvas: small)
    return "split[front][back];[back]scale=\(cover.width):\(cover.height):flags=bilinear,"
      + "crop=\(small.width):\(small.height),gblur=sigma=5,"
      + "scale=\(canvas.width):\(canvas.height):flags=bicubic[backdrop]"
      + ";[backdrop][front]overlay=\(place.x):\(place.y):format=\(overlay)"
  }

  /// libavfilter turns a pad colour into YUV by BT.601: a colour that is not grey is padded in RGB.
  private func padded(_ pad: String) -> [String] {
    let color = geometry.padColor
    let filter = "\(pad):color=\(color.hexadecimal)"
    if color.red == color.green, color.green == color.blue { return [filter] }
    let flags = "flags=accurate_rnd+full_chroma_int+full_chroma_inp"
    return [
      "scale=in_color_matrix=bt709:in_range=limited:\(flags),format=gbrp", filter,
      "scale=out_color_matrix=bt709:out_range=limited:\(flags),format=yuv420p",
    ]
  }

  private static func range(_ range: ColorRange) -> String {
    range == .full ? "full" : "limited"
  }

  private static func zscaleMatrix(_ matrix: ColorMatrix) -> String { "\(matrix.rawValue)" }

  private static func swscaleMatrix(_ matrix: ColorMatrix) -> String {
    switch matrix {
    case .bt709, .rgb: "bt709"
    case .bt2020NonConstant: "bt2020"
    case .unspecified: "auto"
    default: "bt601"
    }
  }
}
