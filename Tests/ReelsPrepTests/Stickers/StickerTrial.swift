import Foundation
import ReelsFFmpeg
import ReelsModel
import TestSupport

@testable import ReelsPrep

/// A sticker made from bytes, decoded again by the ffmpeg command.
struct StickerTrial {
  let made: StillFile
  /// Red, green, blue and alpha, row by row.
  let pixels: [UInt8]

  var size: PixelSize { made.size }

  static func make(
    _ bytes: [UInt8], named name: String = "picture.png",
    canvas: PixelSize = PixelSize(width: 640, height: 480)
  ) throws -> StickerTrial {
    let folder = try TemporaryDirectory()
    let file = folder.file(name)
    try Data(bytes).write(to: file)
    let made = try Sticker(path: file.filePath, canvas: canvas, interrupt: Interrupt()).made()
    let output = folder.file("made-\(made.name)")
    try Data(made.bytes).write(to: output)
    let pixels = try Tool.ffmpeg.run([
      "-v", "error", "-i", output.path, "-vf",
      "scale=flags=accurate_rnd+full_chroma_int,format=rgba", "-f", "rawvideo", "-",
    ]).stdout
    return StickerTrial(made: made, pixels: [UInt8](pixels))
  }

  /// The sentence of the refusal; nil where there is none.
  static func refusal(_ bytes: [UInt8], named name: String = "picture.png") throws -> PrepError? {
    do {
      _ = try make(bytes, named: name)
      return nil
    } catch let error as PrepError {
      return error
    }
  }

  /// At shares of the sides.
  func color(_ x: Double, _ y: Double) -> [Int] {
    let (column, row) = (Int(x * Double(size.width)), Int(y * Double(size.height)))
    let start = (row * size.width + column) * 4
    return pixels[start..<start + 4].map(Int.init)
  }

  /// Whether a colour is another, nearly.
  static func isNear(_ one: [Int], _ other: [Int], within steps: Int = 2) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) <= steps }
  }

  /// Makes a file from a PNG by the ffmpeg command.
  static func converted(_ png: [UInt8], to name: String, _ options: [String]) throws -> [UInt8] {
    let folder = try TemporaryDirectory()
    try Data(png).write(to: folder.file("in.png"))
    try Tool.ffmpeg.run(
      ["-v", "error", "-i", folder.file("in.png").path] + options + [folder.file(name).path])
    return [UInt8](try Data(contentsOf: folder.file(name)))
  }
}
