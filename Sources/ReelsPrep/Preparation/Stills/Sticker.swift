internal import ReelsFFmpeg
internal import ReelsModel

/// Prepares the sticker: a still picture, upright, fitted, in 8-bit sRGB, without metadata.
struct Sticker {
  let path: FilePath
  /// The largest size; a smaller picture is not enlarged.
  let canvas: PixelSize
  let interrupt: Interrupt

  /// A picture whose longer side has fewer pixels will hardly be seen.
  private static let tinySide = 32

  /// The sticker of a request, made ready on a thread of its own.
  ///
  /// - Throws: `PrepError` for what is no sticker; `CancellationError`.
  static func prepared(
    _ path: FilePath, for request: Request, _ preset: Preset
  ) async throws -> StillFile {
    let recommended = preset.limits.stickerSize.value
    let canvas = request.stickerSize ?? recommended
    var made = try await blocking("sticker") { interrupt in
      try Sticker(path: path, canvas: canvas, interrupt: interrupt).made()
    }
    if made.size.width > recommended.width || made.size.height > recommended.height {
      made.warnings.append(
        Warning(
          code: "sticker-size",
          sentence: "the sticker is \(made.size), and the destination recommends \(recommended)"
            + " at most"))
    }
    return made
  }

  /// A PNG where the picture lets something shine through; else a PNG or a JPEG, whichever is
  /// smaller.
  ///
  /// - Throws: `PrepError` for what is no picture, damaged, too large or animated.
  func made() throws -> StillFile {
    let reader = StillReader(path: path, use: .sticker, interrupt: interrupt)
    let source = try reader.source()
    var warnings: [Warning] = []
    let picture = try reader.pixels(of: source, &warnings) {
      size(of: source.orientation.exchangesSides ? $0.turned : $0)
    }
    if interrupt.isRequested { throw CancellationError() }
    var made: StillFile
    do throws(FFmpegError) {
      made = try StillFile(
        Frame.picture(picture), png: PayloadFile.stickerPNG, jpeg: PayloadFile.stickerJPEG)
    } catch {
      throw reader.refused("cannot be written (\(error.meaning))")
    }
    if max(made.size.width, made.size.height) < Self.tinySide {
      warnings.append(
        reader.warning("tiny", "is only \(made.size) and is not enlarged: it will hardly be seen"))
    }
    if picture.isInvisible {
      warnings.append(
        reader.warning("invisible", "is transparent all over: nothing of it will be seen"))
    }
    made.warnings = warnings
    return made
  }

  /// Of the canvas's size at most.
  private func size(of shown: PixelSize) -> PixelSize {
    let scale = min(
      1, Double(canvas.width) / Double(shown.width), Double(canvas.height) / Double(shown.height))
    return PixelSize(
      width: max(1, Int((Double(shown.width) * scale).rounded())),
      height: max(1, Int((Double(shown.height) * scale).rounded())))
  }
}
