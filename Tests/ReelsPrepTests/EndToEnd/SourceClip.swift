import Foundation
import ReelsModel
import TestSupport
import Testing

/// Small clips of libavfilter's sources, made by the ffmpeg command.
enum SourceClip {
  /// H.264 that is copied where nothing else is wrong.
  static let copyable =
    [
      "-c:v", "libx264", "-preset", "superfast", "-crf", "16", "-g", "30", "-pix_fmt", "yuv420p",
      "-c:a", "aac",
    ] + CopyClip.tags

  /// - Parameters:
  ///   - sounds: One track each, as libavfilter's sources without a duration.
  ///   - arguments: Of the output.
  static func make(
    _ name: String, picture: String = "testsrc2=s=320x180:r=30", sounds: [String] = [],
    seconds: Double = 4, _ arguments: [String], in folder: TemporaryDirectory
  ) throws -> URL {
    let file = folder.file(name)
    var line = ["-v", "error", "-y", "-f", "lavfi", "-i", picture]
    for sound in sounds { line += ["-f", "lavfi", "-i", sound] }
    for index in 0...sounds.count { line += ["-map", "\(index)"] }
    try Tool.ffmpeg.run(line + ["-t", "\(seconds)"] + arguments + [file.path])
    return file
  }

  /// The file in another wrapping, or with something added; `inputs` follow the file.
  static func remux(
    _ file: URL, to name: String, inputs: [String] = [], _ arguments: [String],
    in folder: TemporaryDirectory
  ) throws -> URL {
    let other = folder.file(name)
    try Tool.ffmpeg.run(
      ["-v", "error", "-y", "-i", file.path] + inputs + arguments + [other.path])
    return other
  }

  static func isNear(_ color: [Double], _ expected: [Double], within limit: Double = 6) -> Bool {
    color.count == expected.count && zip(color, expected).allSatisfy { abs($0 - $1) <= limit }
  }

  static func codes(_ made: Prepared) -> [String] { made.manifest.warnings.map(\.code) }
}

extension DecodedAudio {
  /// Root mean square of a part, 0 to 1, in seconds of the sound itself.
  func level(_ part: Range<Double>) -> Double {
    let part = slice(part)
    guard !part.isEmpty else { return 0 }
    return (part.reduce(0) { $0 + Double($1) * Double($1) } / Double(part.count)).squareRoot()
  }

  /// Hertz of a part that is one tone.
  func pitch(_ part: Range<Double>) -> Double {
    let samples = slice(part)
    let rises = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    return Double(rises) / (part.upperBound - part.lowerBound)
  }

  private func slice(_ part: Range<Double>) -> ArraySlice<Float> {
    let first = Int(part.lowerBound * Double(rate))
    let last = min(samples.count, Int(part.upperBound * Double(rate)))
    return first < last ? samples[first..<last] : []
  }
}
