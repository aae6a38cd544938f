internal import CReelsFFmpeg
package import ReelsModel

/// A three-dimensional table from 10-bit 4:2:0 samples to 8-bit ones, read between its nodes by linear
/// interpolation and dithered.
///
/// 10 ms for a picture of 1080x1920, where libavfilter's `lut3d` took 47 and needs RGB on both sides, and
/// its `zscale` by exact transfer functions (its approximate ones turn HLG's hues by up to 6°) 57 to 88.
package struct ColorCube: Sendable {
  // Nodes at every 8th luma and every 16th chroma value; luma is the innermost index.
  private static let (lumaBits, chromaBits) = (3, 4)
  private static let lumaNodes = 1 << (10 - lumaBits) + 1
  private static let chromaNodes = 1 << (10 - chromaBits) + 1
  private static let nextBlue = lumaNodes
  private static let nextRed = lumaNodes * chromaNodes
  /// Sixty-fourths of an 8-bit step.
  private static let scale = 64.0

  private let luma: [Int16]
  private let blue: [Int16]
  private let red: [Int16]

  /// The pixel formats of what goes in and what comes out.
  package static let (input, output) = ("yuv420p10le", "yuv420p")

  /// Takes a tenth of a second or two: half a million nodes.
  package init(_ map: LightMap) {
    let count = Self.lumaNodes * Self.chromaNodes * Self.chromaNodes
    // Ten bits in full range are 1,023 steps where eight are 255.
    let scale = map.source.range == .full ? 255.0 / 1_023 : 0.25
    var (luma, blue, red) = ([Int16](), [Int16](), [Int16]())
    luma.reserveCapacity(count)
    blue.reserveCapacity(count)
    red.reserveCapacity(count)
    for cr in 0..<Self.chromaNodes {
      for cb in 0..<Self.chromaNodes {
        for y in 0..<Self.lumaNodes {
          let shown = map.shown(
            luma: Double(y << Self.lumaBits) * scale,
            blue: 128 + Double(cb << Self.chromaBits - 512) * scale,
            red: 128 + Double(cr << Self.chromaBits - 512) * scale)
          luma.append(Self.node(shown.luma))
          blue.append(Self.node(shown.blue))
          red.append(Self.node(shown.red))
        }
      }
    }
    (self.luma, self.blue, self.red) = (luma, blue, red)
  }

  /// Beyond what 8 bits hold, so that what lies between two nodes is right up to the edge.
  private static func node(_ value: Double) -> Int16 {
    Int16((min(max(value, -128), 383) * scale).rounded())
  }

  /// The picture by the table.
  ///
  /// - Throws: where the picture is not of the format `input`, or no memory is left.
  package func apply(to frame: borrowing Frame) throws(FFmpegError) -> Frame {
    let source = frame.pointer.pointee
    let result = try Frame()
    try check(av_frame_copy_props(result.pointer, frame.pointer), "filter", "tone map")
    result.pointer.pointee.format = AV_PIX_FMT_YUV420P.rawValue
    result.pointer.pointee.width = source.width
    result.pointer.pointee.height = source.height
    try check(av_frame_get_buffer(result.pointer, 0), "filter", "tone map")
    let target = result.pointer.pointee
    guard source.format == AV_PIX_FMT_YUV420P10LE.rawValue,
      let inLuma = source.data.0, let inBlue = source.data.1, let inRed = source.data.2,
      let outLuma = target.data.0, let outBlue = target.data.1, let outRed = target.data.2
    else {
      throw FFmpegError(
        code: .invalidData, operation: "filter", subject: "tone map", detail: nil)
    }
    let (width, height) = (Int(source.width), Int(source.height))
    for row in 0..<(height + 1) / 2 {
      // An odd last line or column is its own neighbour.
      let (top, bottom) = (2 * row, min(2 * row + 1, height - 1))
      map(
        Block(
          lumaIn: (
            Self.samples(inLuma, source.linesize.0, top),
            Self.samples(inLuma, source.linesize.0, bottom)
          ),
          blueIn: Self.samples(inBlue, source.linesize.1, row),
          redIn: Self.samples(inRed, source.linesize.2, row),
          lumaOut: (
            outLuma + top * Int(target.linesize.0), outLuma + bottom * Int(target.linesize.0)
          ),
          blueOut: outBlue + row * Int(target.linesize.1),
          redOut: outRed + row * Int(target.linesize.2)), row: row, width: width)
    }
    return result
  }

  /// Two lines of luma and the line of chroma that they share.
  private struct Block {
    var lumaIn: (UnsafePointer<UInt16>, UnsafePointer<UInt16>)
    var blueIn: UnsafePointer<UInt16>
    var redIn: UnsafePointer<UInt16>
    var lumaOut: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>)
    var blueOut: UnsafeMutablePointer<UInt8>
    var redOut: UnsafeMutablePointer<UInt8>
  }

  private static func samples(
    _ plane: UnsafeMutablePointer<UInt8>, _ stride: Int32, _ row: Int
  ) -> UnsafePointer<UInt16> {
    UnsafeRawPointer(plane + row * Int(stride)).assumingMemoryBound(to: UInt16.self)
  }

  private func map(_ lines: Block, row: Int, width: Int) {
    luma.withUnsafeBufferPointer { luma in
      blue.withUnsafeBufferPointer { blue in
        red.withUnsafeBufferPointer { red in
          let tables = (luma.baseAddress!, blue.baseAddress!, red.baseAddress!)
          let dither = (
            Self.dither(row: (2 * row) & 3), Self.dither(row: (2 * row + 1) & 3)
          )
          for x in 0..<(width + 1) / 2 {
            let cell = Cell(blue: lines.blueIn[x], red: lines.redIn[x])
            let (left, right) = (2 * x, min(2 * x + 1, width - 1))
            let (a, b) = (Int(lines.lumaIn.0[left]) & 1023, Int(lines.lumaIn.0[right]) & 1023)
            let (c, d) = (Int(lines.lumaIn.1[left]) & 1023, Int(lines.lumaIn.1[right]) & 1023)
            let place = (left & 3, (left + 1) & 3)
            lines.lumaOut.0[left] = cell.value(tables.0, a, dither.0[place.0], 16, 235)
            lines.lumaOut.0[right] = cell.value(tables.0, b, dither.0[place.1], 16, 235)
            lines.lumaOut.1[left] = cell.value(tables.0, c, dither.1[place.0], 16, 235)
            lines.lumaOut.1[right] = cell.value(tables.0, d, dither.1[place.1], 16, 235)
            let mean = (a + b + c + d + 2) >> 2
            let threshold = Self.dither(row: row & 3)[x & 3]
            lines.blueOut[x] = cell.value(tables.1, mean, threshold, 16, 240)
            lines.redOut[x] = cell.value(tables.2, mean, threshold, 16, 240)
          }
        }
      }
    }
  }

  /// A Bayer matrix of 4 × 4: sixteenths of a step, and half of one in the mean.
  @inline(__always) private static func dither(row: Int) -> SIMD4<Int32> {
    let line: SIMD4<Int32> =
      switch row {
      case 0: SIMD4(0, 8, 2, 10)
      case 1: SIMD4(12, 4, 14, 6)
      case 2: SIMD4(3, 11, 1, 9)
      default: SIMD4(15, 7, 13, 5)
      }
    return (line &* 2 &+ 1) &<< Int32(shift - 5)
  }

  /// Of the weights and the nodes' scale.
  private static let shift = 2 * chromaBits + lumaBits + 6

  /// The four columns of nodes around a pair of chroma samples, and how much of each.
  private struct Cell {
    let start: Int
    let weights: (Int32, Int32, Int32, Int32)

    @inline(__always) init(blue: UInt16, red: UInt16) {
      let (cb, cr) = (Int(blue) & 1023, Int(red) & 1023)
      start =
        (cr >> ColorCube.chromaBits) * ColorCube.nextRed
        + (cb >> ColorCube.chromaBits) * ColorCube.nextBlue
      let step = Int32(1 << ColorCube.chromaBits)
      let (fb, fr) = (Int32(cb) & (step - 1), Int32(cr) & (step - 1))
      weights = (
        (step - fb) &* (step - fr), fb &* (step - fr), (step - fb) &* fr, fb &* fr
      )
    }

    @inline(__always) func value(
      _ table: UnsafePointer<Int16>, _ luma: Int, _ dither: Int32, _ least: Int32, _ most: Int32
    ) -> UInt8 {
      let low = table + (start + luma >> ColorCube.lumaBits)
      let step = Int32(1 << ColorCube.lumaBits)
      let fraction = Int32(luma) & (step - 1)
      let one = column(low)
      let two = column(low + 1)
      let value = (one &* (step - fraction) &+ two &* fraction &+ dither) &>> Int32(ColorCube.shift)
      return UInt8(truncatingIfNeeded: min(max(value, least), most))
    }

    @inline(__always) private func column(_ node: UnsafePointer<Int16>) -> Int32 {
      weights.0 &* Int32(node[0]) &+ weights.1 &* Int32(node[ColorCube.nextBlue])
        &+ weights.2 &* Int32(node[ColorCube.nextRed])
        &+ weights.3 &* Int32(node[ColorCube.nextRed + ColorCube.nextBlue])
    }
  }
}
