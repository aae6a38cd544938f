/// H.264 or HEVC as transport streams carry it: each NAL unit after 00 00 01 or
/// 00 00 00 01 (H.264 and H.265, annex B).
package enum StartCodes {
  package static func units(of bytes: [UInt8]) -> [[UInt8]] {
    var starts: [Int] = []
    var index = 0
    while index + 2 < bytes.count {
      if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
        starts.append(index + 3)
        index += 3
      } else {
        index += 1
      }
    }
    let ends = starts.dropFirst().map { $0 - 3 } + [bytes.count]
    return zip(starts, ends).map { start, end in
      // A unit does not end in a zero: that is of the next start code.
      Array(bytes[start..<end].reversed().drop { $0 == 0 }.reversed())
    }
  }
}
