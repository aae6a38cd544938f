internal import CReelsFFmpeg
package import ReelsModel

/// Interleaved samples of a picture, row by row without padding.
package struct PixelBlock<Sample: FixedWidthInteger & Sendable>: Sendable {
  package let size: PixelSize
  package let channels: Int
  package var samples: [Sample]

  package init(size: PixelSize, channels: Int, samples: [Sample]) {
    precondition(samples.count == size.area * channels, "a block has all its samples")
    self.size = size
    self.channels = channels
    self.samples = samples
  }
}

extension Frame {
  /// The ICC profile that came with the picture; nil where there was none, and where it has more
  /// than `ColorProfile.maximumBytes`.
  package var profile: [UInt8]? {
    guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE),
      data.pointee.size <= ColorProfile.maximumBytes
    else { return nil }
    return [UInt8](UnsafeBufferPointer(start: data.pointee.data, count: Int(data.pointee.size)))
  }

  /// Red, green, blue and alpha of 16 bits, of a picture in "rgba" or "rgba64le"; nil for another
  /// format.
  package var rgba16: PixelBlock<UInt16>? {
    guard let plane = pointer.pointee.data.0 else { return nil }
    let isDeep = pointer.pointee.format == AV_PIX_FMT_RGBA64LE.rawValue
    guard isDeep || pointer.pointee.format == AV_PIX_FMT_RGBA.rawValue else { return nil }
    let (row, stride) = (size.width * 4, Int(pointer.pointee.linesize.0))
    let samples = [UInt16](unsafeUninitializedCapacity: row * size.height) { buffer, filled in
      for y in 0..<size.height {
        let line = UnsafeRawPointer(plane + y * stride)
        for x in 0..<row {
          buffer[y * row + x] =
            isDeep
            ? UInt16(littleEndian: line.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self))
            : UInt16(line.load(fromByteOffset: x, as: UInt8.self)) * 257
        }
      }
      filled = row * size.height
    }
    return PixelBlock(size: size, channels: 4, samples: samples)
  }

  /// A plane's samples, of a picture of 8 bits whose planes all have its full size.
  package func plane(_ index: Int) -> [UInt8]? {
    let planes = [
      pointer.pointee.data.0, pointer.pointee.data.1, pointer.pointee.data.2,
      pointer.pointee.data.3,
    ]
    let strides = [
      pointer.pointee.linesize.0, pointer.pointee.linesize.1, pointer.pointee.linesize.2,
      pointer.pointee.linesize.3,
    ]
    guard planes.indices.contains(index), let plane = planes[index] else { return nil }
    var samples: [UInt8] = []
    samples.reserveCapacity(size.area)
    for y in 0..<size.height {
      samples += UnsafeBufferPointer(start: plane + y * Int(strides[index]), count: size.width)
    }
    return samples
  }

  /// A picture of packed RGB or RGBA, by the number of channels.
  ///
  /// - Throws: where no memory is left (`av_frame_get_buffer`).
  package static func picture(_ block: PixelBlock<UInt8>) throws(FFmpegError) -> Frame {
    precondition(block.channels == 3 || block.channels == 4, "RGB or RGBA")
    let frame = try Frame()
    let format = block.channels == 4 ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24
    frame.pointer.pointee.format = format.rawValue
    frame.pointer.pointee.width = Int32(clamping: block.size.width)
    frame.pointer.pointee.height = Int32(clamping: block.size.height)
    try check(av_frame_get_buffer(frame.pointer, 0), "allocate", "picture")
    let plane = try allocated(frame.pointer.pointee.data.0, "picture")
    let row = block.size.width * block.channels
    for y in 0..<block.size.height {
      block.samples.withUnsafeBufferPointer { samples in
        guard let start = samples.baseAddress else { return }
        (plane + y * Int(frame.pointer.pointee.linesize.0))
          .update(from: start + y * row, count: row)
      }
    }
    frame.pts = 0
    return frame
  }
}
