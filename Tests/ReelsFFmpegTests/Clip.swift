import Foundation
import ReelsModel
import TestSupport

/// The clips that these tests open, made once.
enum Clip {
  static let isPossible = Tool.ffmpeg.isAvailable
  private static let folder = Result { try TemporaryDirectory() }

  /// Ten numbered frames at 30 with B-frames, and a tone.
  static let numbered = Result {
    try NumberedClip(
      .constant(Ratio(30), frames: 10), size: PixelSize(width: 64, height: 32), hasTone: true
    ).write(in: try folder.get())
  }

  /// A copy of it under another name, in a folder of its own.
  static func copy(named name: String, in folder: TemporaryDirectory) throws -> FilePath {
    let path = folder.url.filePath.appending(name)
    try FileManager.default.copyItem(
      at: try numbered.get(), to: URL(filePath: path.string))
    return path
  }
}

extension TemporaryDirectory {
  /// Writes a text file.
  func write(_ text: String, named name: String) throws -> FilePath {
    try Data(text.utf8).write(to: file(name))
    return url.filePath.appending(name)
  }
}
