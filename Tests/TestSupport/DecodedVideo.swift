package import Foundation
package import ReelsModel

/// Whether a reader of MP4 and MOV does what edit lists say.
package enum EditLists: String, Sendable, CaseIterable {
  case honoured, ignored

  func inputArguments(for file: URL) -> [String] {
    // Other demuxers refuse the option.
    self == .ignored && BoxOracle.looksLike(file) ? ["-ignore_editlist", "1"] : []
  }
}

/// The pictures of a file's first video track, decoded by the ffmpeg command and made small.
package struct DecodedVideo: Sendable {
  package struct Frame: Sendable {
    /// In the file's own time; nil where it has none.
    package let pts: MediaTime?
    /// Luma, row by row, 0 to 255.
    package let luma: [UInt8]
  }

  package let size: PixelSize
  package let frames: [Frame]

  /// Decodes all frames, none dropped and none doubled.
  ///
  /// - Parameters:
  ///   - size: What every picture is averaged down to.
  ///   - filter: libavfilter's filters that come before that, as in "crop=320:180".
  package init(
    _ file: URL, size: PixelSize, editLists: EditLists = .honoured, filter: String? = nil
  ) throws {
    let filters =
      ["showinfo=checksum=0"] + (filter.map { [$0] } ?? [])
      + ["scale=\(size.width):\(size.height):flags=area", "format=gray"]
    let output = try Tool.ffmpeg.run(
      ["-hide_banner", "-nostats", "-v", "info"] + editLists.inputArguments(for: file)
        + ["-copyts", "-i", file.path, "-map", "0:V:0", "-fps_mode", "passthrough"]
        + ["-vf", filters.joined(separator: ","), "-f", "rawvideo", "pipe:1"])
    let times = try Self.times(in: output.stderr)
    guard output.stdout.count == times.count * size.area else {
      throw Tool.Failure(
        description: "\(file.path): \(times.count) frames shown, \(output.stdout.count) bytes")
    }
    let data = output.stdout
    self.size = size
    frames = times.enumerated().map { index, pts in
      let start = data.startIndex + index * size.area
      return Frame(pts: pts, luma: [UInt8](data[start..<start + size.area]))
    }
  }

  /// The exact times that the `showinfo` filter told: it prints ticks, and their base before them.
  private static func times(in log: String) throws -> [MediaTime?] {
    var timeBase: Ratio?
    var times: [MediaTime?] = []
    for line in log.split(separator: "\n") where line.contains("showinfo") {
      if let base = line.value(after: "config in time_base: ") {
        timeBase = Ratio(fraction: base)
      } else if let pts = line.value(after: " pts:") {
        guard let timeBase else {
          throw Tool.Failure(description: "showinfo told no time base before: \(line)")
        }
        times.append(Int64(pts).map { MediaTime(ticks: $0, timeBase: timeBase) })
      }
    }
    return times
  }
}

extension Substring {
  /// The text after `label`, blanks skipped, up to the next blank or comma.
  func value(after label: String) -> Substring? {
    guard let range = range(of: label) else { return nil }
    return self[range.upperBound...].drop { $0 == " " }.prefix { $0 != " " && $0 != "," }
  }
}

extension Ratio {
  /// Reads "30000/1001" or "25".
  package init?(fraction: some StringProtocol) {
    let parts = fraction.split(separator: "/")
    guard let num = parts.first.flatMap({ Int64($0) }), parts.count <= 2 else { return nil }
    guard let den = parts.count == 2 ? Int64(parts[1]) : 1 else { return nil }
    self.init(num, over: den)
  }
}
