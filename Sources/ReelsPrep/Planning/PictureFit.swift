package import ReelsModel

/// The one fit calculation, in display space: upright, square pixels.
enum PictureFit {
  /// The upright size in square pixels; widening keeps every stored column.
  static func displaySize(
    _ stored: PixelSize, sampleAspect: Ratio, orientation: Orientation
  ) -> PixelSize {
    var size = stored
    // To an even side, so that it is not rounded twice: a circle stays round within a pixel.
    if sampleAspect > Ratio(1) {
      size.width = even(Ratio(Int64(stored.width)) * sampleAspect)
    } else if sampleAspect < Ratio(1) {
      size.height = even(Ratio(Int64(stored.height)) / sampleAspect)
    }
    return orientation.exchangesSides ? size.turned : size
  }

  /// The largest even size of this shape inside the canvas.
  static func inside(_ display: PixelSize, canvas: PixelSize, enlarging: Bool) -> PixelSize {
    let widthScale = Double(canvas.width) / Double(display.width)
    let heightScale = Double(canvas.height) / Double(display.height)
    let scale = min(widthScale, heightScale)
    if scale >= 1, !enlarging {
      return PixelSize(
        width: even(display.width, down: true), height: even(display.height, down: true))
    }
    return PixelSize(
      width: min(even(Double(display.width) * scale), canvas.width & ~1),
      height: min(even(Double(display.height) * scale), canvas.height & ~1))
  }

  /// The smallest even size of this shape that covers the canvas.
  static func covering(_ display: PixelSize, canvas: PixelSize) -> PixelSize {
    let scale = max(
      Double(canvas.width) / Double(display.width), Double(canvas.height) / Double(display.height))
    return PixelSize(
      width: max(even(Double(display.width) * scale), canvas.width),
      height: max(even(Double(display.height) * scale), canvas.height))
  }

  /// Where a crop of `picture` to `canvas` begins, even, so that `focus` is in the middle as far as the
  /// picture goes.
  static func offset(
    of picture: PixelSize, over canvas: PixelSize, focus: PicturePoint
  ) -> (x: Int, y: Int) {
    func begin(_ whole: Int, _ part: Int, _ focus: Double) -> Int {
      let wanted = Double(whole) * focus - Double(part) / 2
      return min(max(0, Int((wanted / 2).rounded()) * 2), (whole - part) & ~1)
    }
    return (
      begin(picture.width, canvas.width, focus.x), begin(picture.height, canvas.height, focus.y)
    )
  }

  private static func even(_ side: Double) -> Int { max(2, Int((side / 2).rounded()) * 2) }

  private static func even(_ side: Int, down: Bool) -> Int { max(2, side & ~1) }

  private static func even(_ side: Ratio) -> Int {
    Int(max(1, min((side / Ratio(2)).rounded, 1 << 19))) * 2
  }
}

extension VideoSurvey {
  /// The size in square pixels, upright.
  package var displaySize: PixelSize {
    PictureFit.displaySize(
      content?.size ?? codedSize, sampleAspect: sampleAspect, orientation: orientation)
  }
}
