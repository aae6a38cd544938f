package import ReelsFFmpeg
internal import ReelsModel

/// How a decoded picture becomes one of the output.
package struct PictureRecipe: Sendable {
  /// libavfilter's description.
  package var filters: String
  package var tone: Tone?

  /// What becomes of the filters' pictures, where the source shows more light than the output can.
  package struct Tone: Sendable {
    package var cube: ColorCube
    /// The filters from there on.
    package var filters: String

    package init(cube: ColorCube, filters: String) {
      self.cube = cube
      self.filters = filters
    }
  }

  package init(_ filters: String, tone: Tone? = nil) {
    self.filters = filters
    self.tone = tone
  }
}

extension PictureRecipe: CustomStringConvertible {
  package var description: String {
    filters + (tone.map { ",<cube>,\($0.filters)" } ?? "")
  }
}

/// A recipe at work. It may hold pictures back, but gives one for each that it is given, in order.
package struct PictureGraph: ~Copyable, Sendable {
  private let first: FilterGraph
  private let tone: PictureRecipe.Tone?
  private var second: FilterGraph?
  private let threads: Int
  private let timeBase: Ratio

  /// - Throws: where the recipe and the pictures' format do not work out.
  package init(
    _ recipe: PictureRecipe, from format: VideoFormat, threads: Int
  ) throws(FFmpegError) {
    first = try FilterGraph.video(recipe.filters, from: format, threads: threads)
    tone = recipe.tone
    self.threads = threads
    timeBase = format.timeBase
  }

  package mutating func send(_ frame: borrowing Frame) throws(FFmpegError) {
    try first.send(frame)
    try pass()
  }

  /// Says that no picture follows.
  package mutating func sendEnd() throws(FFmpegError) {
    try first.sendEnd()
    try pass()
    try second?.sendEnd()
  }

  package mutating func receive() throws(FFmpegError) -> Pull<Frame> {
    guard tone != nil else { return try first.receive() }
    guard let pull = try second?.receive() else { return .needsInput }
    return pull
  }

  /// Brings what the first filters have into the second ones.
  private mutating func pass() throws(FFmpegError) {
    guard let tone else { return }
    while case .value(let light) = try first.receive() {
      let frame = try tone.cube.apply(to: light)
      if second == nil {
        second = try FilterGraph.video(
          tone.filters, from: frame.videoFormat(timeBase: timeBase), threads: threads)
      }
      try second?.send(frame)
    }
  }
}
