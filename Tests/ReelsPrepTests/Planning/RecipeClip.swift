import Foundation
import ReelsFFmpeg
import ReelsModel
import ReelsPipeline
import TestSupport

@testable import ReelsPrep

/// Two frames of some format, and what a recipe makes of the first.
struct RecipeClip {
  /// libavfilter's source, and what brings it into the format.
  var picture: String
  var arguments: [String] = []
  /// By default FFV1 in Matroska, which keeps any format and its tags.
  var codec = ["-c:v", "ffv1"]
  var container = "mkv"

  /// A plane of one colour, turned into YUV by `matrix` and `range`.
  static func color(
    _ pixels: String, size: String = "320x240", matrix: String = "bt709", range: String = "tv",
    tags: [String] = [], color: String = "0x20C040"
  ) -> RecipeClip {
    RecipeClip(
      picture: "color=c=\(color):s=\(size):r=25:d=0.08,format=gbrp,"
        + "scale=out_color_matrix=\(matrix):out_range=\(range)"
        + ":flags=accurate_rnd+full_chroma_int,format=\(pixels)",
      arguments: tags)
  }

  /// Grey of one code value in ten bits, 4:2:0.
  static func gray10(_ value: Int, transfer: String) -> RecipeClip {
    RecipeClip(
      picture: "color=gray:s=128x72:r=25:d=0.08,format=yuv420p10le,geq=lum=\(value):cb=512:cr=512",
      arguments: [
        "-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc",
        "-color_range", "tv",
      ])
  }

  struct NoPicture: Error, CustomStringConvertible {
    let description: String
  }

  /// What comes out, with the means of its red, green and blue.
  struct Outcome {
    var description: String
    var size: PixelSize
    var pixelFormat: String
    var luma: Double
    var rgb: [Double]

    func isNear(_ color: [Double], within tolerance: Double = 4) -> Bool {
      zip(rgb, color).allSatisfy { abs($0 - $1) <= tolerance }
    }
  }

  /// - Parameters:
  ///   - crop: the part whose means are told, as in "16:16:0:0".
  ///   - orientation: by which the container turns the picture.
  ///   - divisor: for the draft's small picture.
  ///   - planned: whether the plan was made for this very format.
  func run(
    crop: String? = nil, orientation: Orientation = .upright, sampleAspect: Ratio = Ratio(1),
    isInterlaced: Bool = false, divisor: Int? = nil, hasZscale: Bool = true,
    plannedSize: PixelSize? = nil,
    _ change: (inout Request) -> Void = { _ in }
  ) throws -> Outcome {
    let folder = try TemporaryDirectory()
    let file = folder.file("clip.\(container)")
    try Tool.ffmpeg.run(
      ["-v", "error", "-f", "lavfi", "-i", picture] + codec + arguments + [file.path])
    let made = try Self.make(
      of: file.filePath, orientation: orientation, sampleAspect: sampleAspect,
      isInterlaced: isInterlaced, divisor: divisor, hasZscale: hasZscale,
      plannedSize: plannedSize, change)
    let read = crop.map { "crop=\($0):exact=1," } ?? ""
    let rgb = try ["r", "g", "b"].map { plane in
      try Self.luma(
        of: made.frame,
        "\(read)scale=in_color_matrix=bt709:in_range=limited"
          + ":flags=accurate_rnd+full_chroma_int,format=gbrp,extractplanes=\(plane)")
    }
    return Outcome(
      description: made.description, size: made.frame.size,
      pixelFormat: made.frame.pixelFormat?.name ?? "",
      luma: try Self.luma(of: made.frame, "\(read)extractplanes=y"), rgb: rgb)
  }

  /// What a recipe makes of a file's first frame.
  struct Made: ~Copyable {
    let frame: Frame
    let description: String
  }

  static func make(
    of file: FilePath, orientation: Orientation = .upright, sampleAspect: Ratio = Ratio(1),
    isInterlaced: Bool = false, divisor: Int? = nil, hasZscale: Bool = true,
    plannedSize: PixelSize? = nil, peakLuminance: Double? = nil,
    _ change: (inout Request) -> Void = { _ in }
  ) throws -> Made {
    var reader = try VideoReader.open(
      file, stream: 0, entry: nil, threads: 1, interrupt: Interrupt())
    guard let first = try reader.next(), let pixels = first.frame.pixelFormat else {
      throw NoPicture(description: "no picture in \(file)")
    }
    var source = Source()
    source.size = plannedSize ?? first.frame.size
    (source.pixels, source.color) = (pixels, first.frame.color)
    (source.orientation, source.sampleAspect) = (orientation, sampleAspect)
    source.isInterlaced = isInterlaced
    source.peakLuminance = peakLuminance
    let video = try source.plan(change).video
    let format = PictureFormat(
      size: first.frame.size, sampleAspect: nil, pixelFormat: pixels, color: first.frame.color)
    var planned = format
    planned.size = source.size
    let whole = FilterRecipe(video, planned: planned, hasZscale: hasZscale)
    let recipe = divisor.map { whole.small($0) } ?? whole
    let made = recipe.recipe(for: format)
    let description = made.description
    var graph = try PictureGraph(
      made, from: first.frame.videoFormat(timeBase: reader.timeBase), threads: 1)
    try graph.send(first.frame)
    if let second = try reader.next() { try graph.send(second.frame) }
    try graph.sendEnd()
    guard case .value(let output) = try graph.receive() else {
      throw NoPicture(description: "nothing comes out of \(description)")
    }
    return Made(frame: output, description: description)
  }

  private static func luma(of frame: borrowing Frame, _ description: String) throws -> Double {
    let graph = try FilterGraph.video(
      description, from: frame.videoFormat(timeBase: Ratio(1, 25)), threads: 1)
    try graph.send(frame)
    try graph.sendEnd()
    guard case .value(let plane) = try graph.receive() else { return -1 }
    return plane.lumaStatistics.mean
  }
}
