internal import CReelsFFmpeg
package import ReelsModel

/// A three-dimensional table from 10-bit 4:2:0 samples to 8-bit ones, read between its nodes by linear
/// interpolation and dithered.
///
/// 5 ms for a picture of 1080x1920, where libavfilter's `lut3d` took 47 and needs RGB on both sides, and
/// its `zscale` by exact transfer functions (its approximate ones turn HLG's hues by up to 6°) 57 to 88.
package struct ColorCube: Sendable {
  // Nodes at every 8th luma and every 16th chroma value.
  private static let (lumaBits, chromaBits) = (3, 4)
  private static let lumaNodes = 1 << (10 - lumaBits) + 1
  private static let chromaCells = 1 << (10 - chromaBits)
  /// Sixty-fourths of an 8-bit step.
  private static let scale = 64.0

  /// A cell for each pair of steps of chroma, blue innermost: three columns, of luma, blue and red, with
  /// the cell's four corners at each node of luma. So what one sample needs is 16 bytes side by side.
  private let cells: [Int16]
  private static let nodeBytes = 4 * MemoryLayout<Int16>.size
  private static let columnBytes = lumaNodes * nodeBytes
  private static let cellBytes = 3 * columnBytes

  /// The pixel formats of what goes in and what comes out.
  package static let (input, output) = ("yuv420p10le", "yuv420p")

  /// Takes a tenth of a second or two: half a million nodes.
  package init(_ map: LightMap) {
    // Ten bits in full range are 1,023 steps where eight are 255.
    let scale = map.source.range == .full ? 255.0 / 1_023 : 0.25
    let side = Self.chromaCells + 1
    var nodes = [SIMD4<Int16>]()
    nodes.reserveCapacity(side * side * Self.lumaNodes)
    for cr in 0..<side {
      for cb in 0..<side {
        for y in 0..<Self.lumaNodes {
          let shown = map.shown(
            luma: Double(y << Self.lumaBits) * scale,
            blue: 128 + Double(cb << Self.chromaBits - 512) * scale,
            red: 128 + Double(cr << Self.chromaBits - 512) * scale)
          nodes.append(
            SIMD4(Self.node(shown.luma), Self.node(shown.blue), Self.node(shown.red), 0))
        }
      }
    }
    let corners = [0, 1, side, side + 1]
    var cells = [Int16]()
    cells.reserveCapacity(Self.chromaCells * Self.chromaCells * Self.cellBytes / 2)
    for cr in 0..<Self.chromaCells {
      for cb in 0..<Self.chromaCells {
        for plane in 0..<3 {
          for y in 0..<Self.lumaNodes {
            for corner in corners {
              cells.append(nodes[(cr * side + cb + corner) * Self.lumaNodes + y][plane])
            }
          }
        }
      }
    }
    self.cells = cells
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
    cells.withUnsafeBytes { cells in
      let (top, bottom) = (Self.dither(row: (2 * row) & 3), Self.dither(row: (2 * row + 1) & 3))
      let dither = (
        SIMD4(lowHalf: top.lowHalf, highHalf: bottom.lowHalf),
        SIMD4(lowHalf: top.highHalf, highHalf: bottom.highHalf)
      )
      let chromaDither = Self.dither(row: row & 3)
      for x in 0..<(width + 1) / 2 {
        let cell = Cell(table: cells, blue: lines.blueIn[x], red: lines.redIn[x])
        let (left, right) = (2 * x, min(2 * x + 1, width - 1))
        let (a, b) = (Int(lines.lumaIn.0[left]) & 1023, Int(lines.lumaIn.0[right]) & 1023)
        let (c, d) = (Int(lines.lumaIn.1[left]) & 1023, Int(lines.lumaIn.1[right]) & 1023)
        let luma = Self.samples(
          Self.pairs(
            Self.pairs(cell.products(0, a), cell.products(0, b)),
            Self.pairs(cell.products(0, c), cell.products(0, d)))
            &+ (x & 1 == 0 ? dither.0 : dither.1), atMost: 235)
        lines.lumaOut.0[left] = luma[0]
        lines.lumaOut.0[right] = luma[1]
        lines.lumaOut.1[left] = luma[2]
        lines.lumaOut.1[right] = luma[3]
        let mean = (a + b + c + d + 2) >> 2
        let blueAndRed = Self.pairs(cell.products(1, mean), cell.products(2, mean))
        let chroma = Self.samples(
          Self.pairs(blueAndRed, .zero) &+ chromaDither[x & 3], atMost: 240)
        lines.blueOut[x] = chroma[0]
        lines.redOut[x] = chroma[1]
      }
    }
  }

  /// The sums of neighbours.
  @inline(__always) private static func pairs(
    _ one: SIMD4<Int32>, _ two: SIMD4<Int32>
  ) -> SIMD4<Int32> {
    SIMD4(lowHalf: one.evenHalf, highHalf: two.evenHalf)
      &+ SIMD4(lowHalf: one.oddHalf, highHalf: two.oddHalf)
  }

  /// Limited range: 16 to `most`.
  @inline(__always) private static func samples(
    _ sums: SIMD4<Int32>, atMost most: Int32
  ) -> SIMD4<UInt8> {
    SIMD4(
      truncatingIfNeeded: (sums &>> Int32(shift)).clamped(
        lowerBound: SIMD4(repeating: 16), upperBound: SIMD4(repeating: most)))
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

  /// What is around a pair of chroma samples, and how much of each corner.
  private struct Cell {
    private let table: UnsafeRawBufferPointer
    private let start: Int
    private let weights: SIMD8<Int16>

    @inline(__always) init(table: UnsafeRawBufferPointer, blue: UInt16, red: UInt16) {
      self.table = table
      let (cb, cr) = (Int(blue) & 1023, Int(red) & 1023)
      start =
        (cr >> ColorCube.chromaBits * ColorCube.chromaCells + cb >> ColorCube.chromaBits)
        * ColorCube.cellBytes
      let step = Int16(1 << ColorCube.chromaBits)
      let (fb, fr) = (Int16(cb) & (step - 1), Int16(cr) & (step - 1))
      let corners = SIMD4(
        (step - fb) &* (step - fr), fb &* (step - fr), (step - fb) &* fr, fb &* fr)
      weights = SIMD8(lowHalf: corners, highHalf: corners)
    }

    /// The corners at the nodes below and above a luma, each by its weight, summed in pairs: four of
    /// which the sum is the value.
    @inline(__always) func products(_ column: Int, _ luma: Int) -> SIMD4<Int32> {
      let step = Int16(1 << ColorCube.lumaBits)
      let fraction = Int16(luma) & (step - 1)
      // 16 × 16 × 8 at most.
      let all =
        weights
        &* SIMD8(
          lowHalf: SIMD4(repeating: step - fraction), highHalf: SIMD4(repeating: fraction))
      let nodes = table.loadUnaligned(
        fromByteOffset: start + column * ColorCube.columnBytes
          + luma >> ColorCube.lumaBits * ColorCube.nodeBytes, as: SIMD8<Int16>.self)
      let products = SIMD8<Int32>(truncatingIfNeeded: nodes) &* SIMD8(truncatingIfNeeded: all)
      return products.evenHalf &+ products.oddHalf
    }
  }
}
