internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Looks for detail, such as captions, where the destination's interface covers the picture.
struct SafeAreaScan {
  let samples: WindowSamples
  let recipe: FilterRecipe
  let canvas: PixelSize

  /// Shares of a 9:16 screen that Reels' interface covers (Meta, Reels ads safe zones: top 14 %, bottom
  /// 35 %).
  static let (top, bottom) = (0.14, 0.35)
  /// A band whose detail is this many times the middle's holds what is to be seen.
  private static let notable = 1.3
  /// Steps of luma between neighbours: less is noise.
  private static let least = 2.0

  /// - Returns: a warning for each band that holds more detail than the middle.
  func warnings() throws -> [Warning] {
    let bands = Self.bands(of: canvas)
    guard let middle = bands.middle else { return [] }
    var (middleSum, sums) = (0.0, [Double](repeating: 0, count: 2))
    var count = 0.0
    try samples.visit { frame, timeBase in
      let format = PictureFormat(frame)
      var graph = try PictureGraph(
        recipe.recipe(for: format), from: frame.videoFormat(timeBase: timeBase), threads: 1)
      try graph.send(frame)
      try graph.sendEnd()
      guard case .value(let picture) = try graph.receive() else { return }
      middleSum += picture.lumaStatistics(in: middle).detail
      for (index, band) in [bands.top, bands.bottom].enumerated() {
        if let band { sums[index] += picture.lumaStatistics(in: band).detail }
      }
      count += 1
    }
    guard count > 0 else { return [] }
    let names = ["top \(Int(Self.top * 100)) %", "bottom \(Int(Self.bottom * 100)) %"]
    return zip(names, sums).compactMap { name, sum in
      guard sum / count >= Self.least, sum > middleSum * Self.notable else { return nil }
      return Warning(
        code: "safe-area",
        sentence:
          "the \(name) of the screen, which the interface covers, shows more detail than the "
          + "middle: captions there will be hard to read")
    }
  }

  /// The parts of a picture under the bands, and between them, where it is shown as wide as the screen
  /// and in its middle; nil where there is next to nothing of one.
  static func bands(
    of canvas: PixelSize
  ) -> (top: PixelRect?, middle: PixelRect?, bottom: PixelRect?) {
    // The screen's height in the picture's pixels.
    let screen = max(Double(canvas.width) * 16 / 9, Double(canvas.height))
    let above = (screen - Double(canvas.height)) / 2
    func part(from: Double, to: Double) -> PixelRect? {
      let begin = max(0, Int((from * screen - above).rounded()))
      let end = min(canvas.height, Int((to * screen - above).rounded()))
      guard end - begin >= canvas.height / 20 else { return nil }
      return PixelRect(
        x: 0, y: begin, size: PixelSize(width: canvas.width, height: end - begin))
    }
    return (
      part(from: 0, to: top), part(from: top, to: 1 - bottom), part(from: 1 - bottom, to: 1)
    )
  }
}
