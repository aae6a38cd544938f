package import ReelsFFmpeg
internal import ReelsModel

/// Runs each picture through the filters once, however many places it takes.
struct FilterStage {
  let recipe: @Sendable (PictureFormat) -> PictureRecipe

  /// zscale gives each thread a slice, and pixels differ where two slices meet: more of them would
  /// make the bytes depend on the machine.
  private static let threads = 1

  func run(from input: Channel<PlacedPicture>, into output: Channel<PlacedPicture>) throws {
    var graph: PictureGraph?
    var format: PictureFormat?
    var range: Int?
    // Filters may hold pictures back, but give one out for each one in, in order.
    var runs: [FrameClock.Run] = []
    var timeBase = Ratio(1)

    func drain() throws -> Bool {
      while let pull = try graph?.receive(), case .value(let frame) = pull {
        guard !runs.isEmpty, let range else { break }
        frame.forgetPictureType()
        let picture = PlacedPicture(
          frame: frame, run: runs.removeFirst(), range: range, timeBase: timeBase)
        if !output.send(picture) { return false }
      }
      return true
    }

    while let picture = input.receive() {
      var next = PictureFormat(picture.frame)
      next.isInterlaced =
        picture.frame.isInterlaced || (format?.isInterlaced == true && picture.range == range)
      // A range is filtered apart from the one before, so that it does not matter who made that.
      if graph == nil || next != format || picture.range != range {
        try graph?.sendEnd()
        if try !drain() { return input.cancel() }
        graph = try PictureGraph(
          recipe(next), from: picture.frame.videoFormat(timeBase: picture.timeBase),
          threads: Self.threads)
        format = next
        range = picture.range
      }
      timeBase = picture.timeBase
      runs.append(picture.run)
      try graph?.send(picture.frame)
      if try !drain() { return input.cancel() }
    }
    try graph?.sendEnd()
    _ = try drain()
  }
}

extension PictureFormat {
  package init(_ frame: borrowing Frame) {
    self.init(
      size: frame.size, sampleAspect: frame.sampleAspect,
      pixelFormat: frame.pixelFormat
        ?? PixelFormatInfo(
          name: "none", bitDepth: 8, hasAlpha: false, isRGB: false, chromaShiftX: 0,
          chromaShiftY: 0),
      color: frame.color)
  }
}
