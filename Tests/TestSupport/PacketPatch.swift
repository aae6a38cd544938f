package import Foundation

/// Damages chosen packets of a file, as ffprobe finds them.
package enum PacketPatch {
  /// Overwrites the packets of the first video track whose number `isChosen` accepts, all but their first
  /// bytes, with zeroes or with noise.
  ///
  /// - Returns: how many were damaged.
  @discardableResult
  package static func damage(
    _ file: URL, stream: String = "v:0", keeping kept: Int = 0, noise: Bool = false,
    where isChosen: (Int) -> Bool
  ) throws -> Int {
    let listed = try Tool.ffprobe.run([
      "-v", "error", "-select_streams", stream, "-show_entries", "packet=pos,size", "-of",
      "csv=p=0",
      file.path,
    ]).text
    var bytes = [UInt8](try Data(contentsOf: file))
    var count = 0
    var state: UInt64 = 7
    for (number, line) in listed.split(separator: "\n").enumerated() where isChosen(number) {
      // Size and position, in ffprobe's own order.
      let values = line.split(separator: ",").compactMap { Int($0) }
      guard values.count >= 2 else { continue }
      let (size, position) = (values[0], values[1])
      for index in (position + kept)..<min(position + size, bytes.count) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[index] = noise ? UInt8(truncatingIfNeeded: state >> 33) : 0
      }
      count += 1
    }
    try Data(bytes).write(to: file)
    return count
  }

  /// Gives boxes of an ISO file another name, the same number of times as they occur.
  ///
  /// - Returns: how many there were.
  @discardableResult
  package static func rename(_ name: String, to other: String, in file: URL) throws -> Int {
    var data = try Data(contentsOf: file)
    var count = 0
    var start = data.startIndex
    while let range = data.range(of: Data(name.utf8), in: start..<data.endIndex) {
      data.replaceSubrange(range, with: Data(other.utf8))
      start = range.upperBound
      count += 1
    }
    try data.write(to: file)
    return count
  }
}
