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
    } else if !isConvertible(color.matrix, transfer: color.transfer) {
      color.matrix = color.transfer.isHDR ? .bt2020NonConstant : isSD ? .smpte170m : .bt709
    }
    // Primaries are converted only where the file names them: untagged ones are BT.709, as every
    // player shows them.
    if color.primaries == .unspecified {
      color.primaries = color.transfer.isHDR ? .bt2020 : .bt709
    }
    if color.transfer == .unspecified { color.transfer = .bt709 }
    if color.range == .unspecified { color.range = pixels.isRGB ? .full : .limited }
    return color
  }

  /// Whether a YUV picture of this matrix can be converted: what is nothing of the kind was tagged by
  /// mistake, and so is as good as untagged.
  private static func isConvertible(_ matrix: ColorMatrix, transfer: ColorTransfer) -> Bool {
    switch matrix {
    case .bt709, .fcc, .ycgco, .bt470bg, .smpte170m, .smpte240m, .bt2020NonConstant: true
    case .ictcp: transfer.isHDR
    default: false
    }
  }
}
