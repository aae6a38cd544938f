internal import CReelsFFmpeg
package import ReelsModel

/// How bright and how detailed a picture is, from a grid of its luma samples.
package struct LumaStatistics: Hashable, Sendable {
  /// 0 to 255.
  package var mean: Double
  package var deviation: Double
  /// The mean difference of horizontal neighbours: higher in a sharp picture.
  package var detail: Double
}

extension Frame {
  /// Statistics of an 8-bit planar picture's luma, every 8th row and 4th column.
  package var lumaStatistics: LumaStatistics {
    lumaStatistics(in: PixelRect(x: 0, y: 0, size: size))
  }

  /// The same of a part, which lies inside the picture.
  package func lumaStatistics(in part: PixelRect) -> LumaStatistics {
    let frame = pointer.pointee
    let (right, bottom) = (
      min(part.x + part.size.width, Int(frame.width)),
      min(part.y + part.size.height, Int(frame.height))
    )
    guard let plane = frame.data.0, part.x >= 0, part.y >= 0, right - part.x > 8,
      bottom - part.y > 8
    else { return LumaStatistics(mean: 0, deviation: 0, detail: 0) }
    var (count, sum, squares, steps) = (0, 0, 0, 0)
    for row in stride(from: part.y, to: bottom, by: 8) {
      let line = plane + row * Int(frame.linesize.0)
      for column in stride(from: part.x, to: right - 1, by: 4) {
        let value = Int(line[column])
        count += 1
        sum += value
        squares += value * value
        steps += abs(value - Int(line[column + 1]))
      }
    }
    let mean = Double(sum) / Double(count)
    let variance = max(0, Double(squares) / Double(count) - mean * mean)
    return LumaStatistics(
      mean: mean, deviation: variance.squareRoot(), detail: Double(steps) / Double(count))
  }

  /// The means of an 8-bit planar picture's luma in 8 × 8 equal parts: how it looks from far.
  package var lumaGrid: [Double] {
    let (width, height) = (size.width / 8, size.height / 8)
    guard width > 8, height > 8 else { return [lumaStatistics.mean] }
    return (0..<64).map { index in
      lumaStatistics(
        in: PixelRect(
          x: index % 8 * width, y: index / 8 * height, size: PixelSize(width: width, height: height)
        )
      ).mean
    }
  }
}
