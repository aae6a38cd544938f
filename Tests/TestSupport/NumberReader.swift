package import Foundation
package import ReelsModel

/// Reads the numbers of a `NumberedClip`, or of what became of one.
package enum NumberReader {
  package struct Reading: Hashable, Sendable, CustomStringConvertible {
    /// In the file's own time; nil where it has none.
    package let pts: MediaTime?
    /// nil where the picture is no number, as when two frames are blended.
    package let number: Int?

    package var description: String {
      "\(number.map(String.init) ?? "?")@\(pts?.decimals(4) ?? "?")"
    }
  }

  /// Decodes all frames and reads each.
  ///
  /// - Parameter filter: What uncovers the numbered picture, as in "crop=608:1080" or
  ///   "transpose=1"; the number has to fill it.
  package static func read(
    _ file: URL, editLists: EditLists = .honoured, filter: String? = nil
  ) throws -> [Reading] {
    let size = PixelSize(
      width: NumberCode.columns * block, height: NumberCode.rows * block)
    let video = try DecodedVideo(file, size: size, editLists: editLists, filter: filter)
    return video.frames.map { frame in
      Reading(pts: frame.pts, number: NumberCode.number(from: levels(of: frame.luma)))
    }
  }

  /// The sides of a block in the picture that is read; the outer pixels mix with the neighbours.
  private static let block = 8
  private static let margin = 2

  /// The mean of the middle of each block.
  private static func levels(of luma: [UInt8]) -> [Double] {
    let width = NumberCode.columns * block
    let inner = block - 2 * margin
    var levels: [Double] = []
    for row in 0..<NumberCode.rows {
      for column in 0..<NumberCode.columns {
        var sum = 0
        for y in 0..<inner {
          let line = (row * block + margin + y) * width + column * block + margin
          for x in line..<line + inner { sum += Int(luma[x]) }
        }
        levels.append(Double(sum) / Double(inner * inner))
      }
    }
    return levels
  }
}
