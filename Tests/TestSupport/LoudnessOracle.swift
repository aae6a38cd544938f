package import Foundation

/// How loud a file is, by the ffmpeg command's summary of `ebur128`.
package struct LoudnessOracle {
  /// LUFS.
  package let integrated: Double
  /// dBTP.
  package let truePeak: Double

  package init(_ file: URL) throws {
    let said = try Tool.ffmpeg.run(
      ["-hide_banner", "-nostats", "-i", file.path, "-af", "ebur128=peak=true", "-f", "null", "-"]
    ).stderr
    func last(_ name: String) -> Double {
      said.split(separator: "\n").last { $0.contains(name) }
        .flatMap { $0.split(separator: " ").compactMap { Double($0) }.first } ?? .nan
    }
    integrated = last("I:")
    truePeak = last("Peak:")
  }
}
