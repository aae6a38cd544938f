import Foundation
import ReelsModel
import TestSupport

/// The clips that these tests read, each made once.
enum Clip {
  static let isPossible = Tool.ffmpeg.isAvailable
  static let folder = Result { try TemporaryDirectory() }

  private static let cache = Shared<[String: Result<FilePath, any Error>]>([:])

  private static func made(_ name: String, _ write: (URL) throws -> Void) throws -> FilePath {
    let folder = try folder.get()
    return try cache.update { cache in
      if let path = cache[name] { return path }
      let file = folder.file(name)
      let result = Result {
        try write(file)
        return file.filePath
      }
      cache[name] = result
      return result
    }.get()
  }

  /// Three seconds at 25 with a tone: 75 frames, numbered from 0.
  static func numbered(_ container: ClipFormat.Container, gop: Int = 25) throws -> FilePath {
    try made("numbered-\(gop).\(container.rawValue)") { file in
      try NumberedClip(
        .constant(Ratio(25), frames: 75), size: PixelSize(width: 64, height: 32),
        format: ClipFormat(container, gopFrames: gop), hasTone: true
      ).write(to: file)
    }
  }

  /// Three seconds in which something clicks at 0.5, 1.5 and 2.5 s.
  static func clicks(
    _ container: ClipFormat.Container, _ codec: ClipFormat.AudioCodec, sampleRate: Int = 48_000
  ) throws -> FilePath {
    try made("clicks-\(codec.rawValue)-\(sampleRate).\(container.rawValue)") { file in
      try ClickFlashClip(
        .constant(Ratio(20), frames: 60), events: [0.5, 1.5, 2.5],
        size: PixelSize(width: 32, height: 32),
        format: ClipFormat(container, audioCodec: codec), sampleRate: sampleRate
      ).write(to: file)
    }
  }

  /// What the ffmpeg command makes of a source of sound.
  static func sound(_ name: String, _ source: String, _ arguments: [String]) throws -> FilePath {
    try made(name) { file in
      try Tool.ffmpeg.run(
        ["-v", "error", "-y", "-f", "lavfi", "-i", source] + arguments + [file.path])
    }
  }
}
