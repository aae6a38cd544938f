import CReelsFFmpeg
import Foundation
import ReelsModel
import TestSupport

@testable import ReelsFFmpeg

/// Even patches of 64 × 64 pixels, written as raw video of any planar format by arithmetic of its own.
struct PatchChart {
  /// How a signal's red, green and blue become samples.
  struct Storage {
    /// libavutil's name: planar YUV of 8 to 16 bits, or gbrp.
    var pixels: String
    /// Of red and of blue in luma.
    var kr = 0.2126
    var kb = 0.0722
    var isFull = false

    static let bt601 = (kr: 0.299, kb: 0.114)
    static let bt2020 = (kr: 0.2627, kb: 0.0593)

    init(_ pixels: String, _ matrix: (kr: Double, kb: Double)? = nil, isFull: Bool = false) {
      self.pixels = pixels
      if let matrix { (kr, kb) = matrix }
      self.isFull = isFull
    }

    var isRGB: Bool { pixels.hasPrefix("gbr") }
    var depth: Int { pixels.contains("10") ? 10 : pixels.contains("12") ? 12 : 8 }
    /// log2 of the luma columns and rows for each chroma sample.
    var shift: (x: Int, y: Int) {
      if pixels.contains("420") { return (1, 1) }
      return pixels.contains("422") ? (1, 0) : (0, 0)
    }

    /// Whole samples: luma, blue and red difference; or green, blue, red.
    func samples(_ rgb: [Double]) -> [Int] {
      let most = Double(1 << depth - 1)
      let step = Double(1 << (depth - 8))
      if isRGB { return [rgb[1], rgb[2], rgb[0]].map { Int(($0 * most).rounded()) } }
      let y = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
      let cb = (rgb[2] - y) / (2 * (1 - kb))
      let cr = (rgb[0] - y) / (2 * (1 - kr))
      let values =
        isFull
        ? [y * most, cb * most + 128 * step, cr * most + 128 * step]
        : [(16 + 219 * y) * step, (128 + 224 * cb) * step, (128 + 224 * cr) * step]
      return values.map { Int(min(max(0, $0.rounded()), most)) }
    }

    /// The signal that whole samples stand for: what was lost in rounding is the source's.
    func signal(_ samples: [Int]) -> [Double] {
      let most = Double(1 << depth - 1)
      let step = Double(1 << (depth - 8))
      let values = samples.map(Double.init)
      if isRGB { return [values[2], values[0], values[1]].map { $0 / most } }
      let (y, cb, cr) =
        isFull
        ? (values[0] / most, (values[1] - 128 * step) / most, (values[2] - 128 * step) / most)
        : (
          (values[0] / step - 16) / 219, (values[1] / step - 128) / 224,
          (values[2] / step - 128) / 224
        )
      let red = y + 2 * (1 - kr) * cr
      let blue = y + 2 * (1 - kb) * cb
      return [red, (y - kr * red - kb * blue) / (1 - kr - kb), blue]
    }
  }

  static let side = 64
  var colors: [[Double]]
  var columns: Int
  var storage: Storage
  /// ffmpeg's, for the tags.
  var tags: [String] = []

  var size: PixelSize {
    PixelSize(
      width: columns * Self.side, height: (colors.count + columns - 1) / columns * Self.side)
  }

  /// The colours as the file holds them.
  var stored: [[Double]] { colors.map { storage.signal(storage.samples($0)) } }

  /// Writes a clip of two frames to `path`, without loss.
  func write(to path: String) throws {
    let picture = bytes
    try Tool.ffmpeg.run(
      [
        "-v", "error", "-f", "rawvideo", "-pix_fmt", storage.pixels, "-video_size",
        size.description, "-framerate", "25", "-i", "-", "-c:v", "ffv1",
      ] + tags + [path],
      feeding: { input in
        for _ in 0..<2 { try input.write(picture) }
      })
  }

  private var bytes: [UInt8] {
    let samples = colors.map { storage.samples($0) }
    var bytes: [UInt8] = []
    for plane in 0..<3 {
      let shift = plane == 0 || storage.isRGB ? (x: 0, y: 0) : storage.shift
      for y in 0..<(size.height >> shift.y) {
        for x in 0..<(size.width >> shift.x) {
          let patch = (y << shift.y) / Self.side * columns + (x << shift.x) / Self.side
          let value = patch < samples.count ? samples[patch][plane] : 0
          bytes.append(UInt8(value & 255))
          if storage.depth > 8 { bytes.append(UInt8(value >> 8)) }
        }
      }
    }
    return bytes
  }

  /// The means at the patches' centres of an 8-bit BT.709 4:2:0 picture `divisor` times smaller, as signals.
  func read(_ frame: borrowing Frame, divisor: Int = 1) -> [[Double]] {
    let picture = frame.pointer.pointee
    let side = Self.side / divisor
    let storage = Storage("yuv420p")
    return colors.indices.map { index in
      let (left, top) = (index % columns * side, index / columns * side)
      func mean(_ plane: UnsafeMutablePointer<UInt8>?, _ stride: Int32, _ shift: Int) -> Double {
        guard let plane else { return 0 }
        var sum = 0
        let inset = side / 4
        let rows = (top + inset) >> shift..<(top + side - inset) >> shift
        let columns = (left + inset) >> shift..<(left + side - inset) >> shift
        for y in rows {
          for x in columns { sum += Int(plane[y * Int(stride) + x]) }
        }
        return Double(sum) / Double(rows.count * columns.count)
      }
      let y = (mean(picture.data.0, picture.linesize.0, 0) - 16) / 219
      let cb = (mean(picture.data.1, picture.linesize.1, 1) - 128) / 224
      let cr = (mean(picture.data.2, picture.linesize.2, 1) - 128) / 224
      let red = y + 2 * (1 - storage.kr) * cr
      let blue = y + 2 * (1 - storage.kb) * cb
      return [
        red, (y - storage.kr * red - storage.kb * blue) / (1 - storage.kr - storage.kb), blue,
      ]
    }
  }
}

/// How far colours are from what they should be, in CIEDE2000.
struct ColorErrors: CustomStringConvertible {
  let all: [Double]

  init(_ found: [[Double]], _ expected: [[Double]]) {
    all = zip(found, expected).map {
      LabColor(signal: $0).difference(to: LabColor(signal: $1))
    }.sorted()
  }

  var mean: Double { all.reduce(0, +) / Double(max(1, all.count)) }
  var most: Double { all.last ?? 0 }
  /// 99 in 100 are no larger.
  var nearlyAll: Double { all.isEmpty ? 0 : all[min(all.count - 1, all.count * 99 / 100)] }

  /// What the picture has to keep.
  var areSmall: Bool { mean <= 1 && nearlyAll <= 2 && most <= 3 }

  var description: String {
    [mean, nearlyAll, most].map { "\(($0 * 100).rounded() / 100)" }.joined(separator: " / ")
  }
}
