internal import ReelsModel

/// Decides what a picture's values mean where its tags do not say.
enum ColorReading {
  /// - Returns: a description in which nothing is unspecified.
  static func resolve(
    _ tags: ColorDescription, pixels: PixelFormatInfo, size: PixelSize
  ) -> ColorDescription {
    var color = tags
    // Below 720 lines and 1280 columns an untagged file is standard definition (BT.601).
    let isSD = size.width < 1280 && size.height < 720
    if pixels.isRGB {
      color.matrix = .rgb
    } else if color.matrix == .unspecified || color.matrix == .rgb {
      color.matrix = isSD ? .smpte170m : .bt709
    }
    // Primaries are converted only where the file names them: untagged ones are BT.709, as every
    // player shows them.
    if color.primaries == .unspecified { color.primaries = .bt709 }
    if color.transfer == .unspecified { color.transfer = .bt709 }
    if color.range == .unspecified { color.range = pixels.isRGB ? .full : .limited }
    return color
  }
}
