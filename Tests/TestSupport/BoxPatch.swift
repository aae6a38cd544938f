package import Foundation

/// Changes finished MP4 and MOV files in ways in which the ffmpeg command does not write them.
package enum BoxPatch {
  /// Sets the display matrix of the first track of this handler: a point (x, y) of the stored
  /// picture is shown at (a·x + c·y, b·x + d·y), moved so that it begins at 0.
  ///
  /// Quarter turns clockwise are 0 1 -1 0, -1 0 0 -1 and 0 -1 1 0; -1 0 0 1 is mirrored left to
  /// right.
  package static func setMatrix(
    a: Int, b: Int, c: Int, d: Int, of handler: String = "vide", in file: URL
  ) throws {
    let oracle = try BoxOracle(file)
    let headers = oracle.all("moov/trak/tkhd")
    guard let index = oracle.tracks.firstIndex(where: { $0.handler == handler }),
      headers.indices.contains(index)
    else { throw BoxOracle.Malformed(description: "\(file.path): no track \(handler)") }
    let header = headers[index]
    let isLong = (oracle.word(header, at: 0) ?? 0) >> 24 == 1
    let size = isLong ? 88 : 76
    let width = Int(oracle.word(header, at: size) ?? 0)
    let height = Int(oracle.word(header, at: size + 4) ?? 0)
    // The corner that would be at a negative place is moved to 0.
    let x = -min(0, a * width, c * height, a * width + c * height)
    let y = -min(0, b * width, d * height, b * width + d * height)
    let one = 0x10000
    let matrix = [a * one, b * one, 0, c * one, d * one, 0, x, y, 0x4000_0000]
    let bytes = matrix.flatMap { entry in
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: entry).bigEndian) { [UInt8]($0) }
    }
    let start = header.body.lowerBound + (isLong ? 52 : 40)
    try write(bytes, at: start, of: file)
  }

  /// A part of an edit list, in milliseconds and in ticks of the track.
  package typealias Edit = (milliseconds: Int, media: Int)

  /// Gives the first track of this handler another edit list. The movie box has to come last.
  package static func setEdits(_ edits: [Edit], of handler: String, in file: URL) throws {
    let oracle = try BoxOracle(file)
    let tracks = oracle.all("moov/trak")
    guard let index = oracle.tracks.firstIndex(where: { $0.handler == handler }),
      let movie = oracle.all("moov").first, oracle.topLevel.last == "moov"
    else { throw BoxOracle.Malformed(description: "\(file.path): no track \(handler) at its end") }
    let track = tracks[index]
    var data = try Data(contentsOf: file)
    let old = oracle.all("moov/trak/edts").first {
      track.range.contains($0.range.lowerBound)
    }
    let header = oracle.all("moov/trak/tkhd").first { track.range.contains($0.range.lowerBound) }
    let place = old?.range ?? (header?.range.upperBound ?? 0)..<(header?.range.upperBound ?? 0)
    let scale = oracle.all("moov/mvhd").first.flatMap { oracle.word($0, at: 12) } ?? 1_000
    let list = edits.reduce(into: big(0) + big(edits.count)) {
      $0 += big($1.milliseconds * Int(scale) / 1_000) + big($1.media) + [0, 1, 0, 0]
    }
    let new = box("edts", box("elst", list))
    data.replaceSubrange(place, with: new)
    for parent in [track, movie] {
      let size = parent.range.count + new.count - place.count
      data.replaceSubrange(parent.range.lowerBound..<parent.range.lowerBound + 4, with: big(size))
    }
    try data.write(to: file)
  }

  private static func big(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { [UInt8]($0) }
  }

  private static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    big(payload.count + 8) + Array(type.utf8) + payload
  }

  /// Overwrites bytes of a file in place.
  package static func write(_ bytes: [UInt8], at offset: Int, of file: URL) throws {
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  /// Cuts a file off after so many bytes.
  package static func truncate(_ file: URL, to bytes: Int) throws {
    let handle = try FileHandle(forUpdating: file)
    try handle.truncate(atOffset: UInt64(bytes))
    try handle.close()
  }
}
