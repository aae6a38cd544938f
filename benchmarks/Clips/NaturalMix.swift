internal import Foundation

/// The natural clips of the corpus, one after the other, at 1080x1920 and 30 frames a second.
struct NaturalMix {
  /// Scaled to fill the picture; no part is longer than 6 s, except for the trailer.
  private static let fill =
    "fps=30,scale=1080:1920:force_original_aspect_ratio=increase:flags=lanczos"
    + ":out_color_matrix=bt709:out_range=tv,crop=1080:1920,setsar=1,format=yuv420p"

  /// The clips, the longest last.
  let parts: [URL]

  /// - Returns: nil where there is no corpus: `$REELS_CORPUS`, or `../shared/corpus` beside the
  ///   package.
  init?(package: URL) {
    let named = ProcessInfo.processInfo.environment["REELS_CORPUS"].map { URL(filePath: $0) }
    let corpus = named ?? package.deletingLastPathComponent().appending(path: "shared/corpus")
    let open = corpus.appending(path: "open")
    parts = ((try? Bench.files(in: open)) ?? []).filter {
      $0.pathExtension == "mp4" && $0.lastPathComponent.hasPrefix("natural-")
    }.sorted { !Self.isTrailer($0) && Self.isTrailer($1) }
    if parts.isEmpty { return nil }
  }

  private static func isTrailer(_ url: URL) -> Bool { url.lastPathComponent.contains("sintel") }

  /// ffmpeg's options that make it, the output's name apart.
  func ffmpegArguments(seconds: Double) -> [String] {
    let inputs = parts.flatMap { part in
      (Self.isTrailer(part) ? ["-ss", "10", "-t", "35"] : ["-t", "6"]) + ["-i", part.path]
    }
    let chains = parts.indices.map { "[\($0):v:0]\(Self.fill)[v\($0)]" }.joined(separator: ";")
    let labels = parts.indices.map { "[v\($0)]" }.joined()
    return ["-nostdin", "-v", "error", "-y"] + inputs
      + ["-f", "lavfi", "-i", "anoisesrc=r=48000:a=0.1:c=pink:seed=11"]
      + ["-filter_complex", "\(chains);\(labels)concat=n=\(parts.count)[v]"]
      + ["-map", "[v]", "-map", "\(parts.count):a", "-shortest", "-t", "\(seconds)"]
      + SyntheticClip.encoding
  }
}
