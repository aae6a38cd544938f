package import Foundation
package import ReelsModel

/// A decoded picture as the ffmpeg command gives it.
package struct Picture {
  package let size: PixelSize
  /// Red, green and blue, row by row.
  private let bytes: [UInt8]

  /// A frame of a video, or a still.
  package init(_ file: URL, at seconds: Double = 0) throws {
    let probe = try Tool.ffprobe.run([
      "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of",
      "csv=p=0", file.path,
    ]).text.split(whereSeparator: { ",\n".contains($0) }).compactMap { Int($0) }
    guard probe.count >= 2 else { throw Tool.Failure(description: "\(file.path) has no picture") }
    size = PixelSize(width: probe[0], height: probe[1])
    let filter = "scale=in_color_matrix=auto:flags=accurate_rnd+full_chroma_int,format=rgb24"
    // Sought to its own start, a small still has no packet.
    let seek = seconds > 0 ? ["-ss", "\(seconds)"] : []
    bytes = [UInt8](
      try Tool.ffmpeg.run(
        ["-v", "error"] + seek + [
          "-i", file.path, "-frames:v", "1", "-vf", filter, "-f", "rawvideo", "-",
        ]
      ).stdout)
    guard bytes.count == 3 * size.area else {
      throw Tool.Failure(description: "\(file.path) has no picture at \(seconds) s")
    }
  }

  package func color(x: Int, y: Int) -> [Double] {
    let start = (y * size.width + x) * 3
    guard start >= 0, start + 2 < bytes.count else { return [] }
    return bytes[start..<start + 3].map(Double.init)
  }

  /// The green of a pixel inside of the picture: most of its luma.
  package func green(x: Int, y: Int) -> Int { Int(bytes[(y * size.width + x) * 3 + 1]) }

  /// The mean colour of a part, in shares of the sides.
  package func mean(x: ClosedRange<Double>, y: ClosedRange<Double>) -> [Double] {
    let columns = Int(x.lowerBound * Double(size.width))..<Int(x.upperBound * Double(size.width))
    let rows = Int(y.lowerBound * Double(size.height))..<Int(y.upperBound * Double(size.height))
    var sums = [0, 0, 0]
    bytes.withUnsafeBufferPointer { bytes in
      for row in rows {
        let line = row * size.width
        for index in (line + columns.lowerBound) * 3..<(line + columns.upperBound) * 3 {
          sums[index % 3] += Int(bytes[index])
        }
      }
    }
    return sums.map { Double($0) / Double(max(1, rows.count * columns.count)) }
  }

  /// The mean of all samples.
  package var brightness: Double {
    bytes.isEmpty ? 0 : Double(bytes.reduce(0) { $0 + Int($1) }) / Double(bytes.count)
  }
}
