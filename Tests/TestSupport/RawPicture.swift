import Foundation
import ReelsModel

/// A picture in planar 8-bit 4:2:0, limited range, without colour.
struct RawPicture {
  let size: PixelSize
  private(set) var bytes: [UInt8]

  static let black: UInt8 = 16
  static let white: UInt8 = 235

  /// A black picture.
  init(size: PixelSize) {
    let chroma = (size.width + 1) / 2 * ((size.height + 1) / 2)
    self.size = size
    bytes =
      [UInt8](repeating: Self.black, count: size.area)
      + [UInt8](repeating: 128, count: 2 * chroma)
  }

  mutating func fill(_ luma: UInt8) {
    bytes.withUnsafeMutableBytes { _ = memset($0.baseAddress!, Int32(luma), size.area) }
  }

  /// Fills the picture with a grid of black and white blocks, row by row.
  mutating func fill(_ blocks: [Bool], columns: Int) {
    let rows = blocks.count / columns
    let (width, height) = (size.width, size.height)
    bytes.withUnsafeMutableBytes { buffer in
      let luma = buffer.baseAddress!
      for row in 0..<rows {
        let top = row * height / rows
        let line = luma + top * width
        for column in 0..<columns {
          let left = column * width / columns
          let value = blocks[row * columns + column] ? Self.white : Self.black
          memset(line + left, Int32(value), (column + 1) * width / columns - left)
        }
        for y in top + 1..<max((row + 1) * height / rows, top + 1) {
          memcpy(luma + y * width, line, width)
        }
      }
    }
  }

  /// What the raw stream is read with.
  static func inputArguments(size: PixelSize) -> [String] {
    [
      "-f", "rawvideo", "-pix_fmt", "yuv420p", "-color_range", "tv", "-video_size",
      size.description,
    ]
  }
}
