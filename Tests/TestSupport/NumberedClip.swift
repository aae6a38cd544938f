package import Foundation
package import ReelsModel

/// A clip in which every frame carries its own number, for `NumberReader` to read.
package struct NumberedClip: Sendable {
  package var clock: ClipClock
  package var size: PixelSize
  package var format: ClipFormat
  /// The number of the first frame.
  package var firstNumber: Int
  /// Whether it has a sound track, a tone of the video's length.
  package var hasTone: Bool

  package init(
    _ clock: ClipClock, size: PixelSize = PixelSize(width: 320, height: 180),
    format: ClipFormat = ClipFormat(), firstNumber: Int = 0, hasTone: Bool = false
  ) {
    self.clock = clock
    self.size = size
    self.format = format
    self.firstNumber = firstNumber
    self.hasTone = hasTone
  }

  package func write(to file: URL) throws {
    var arguments = ["-v", "error", "-y"]
    arguments += RawPicture.inputArguments(size: size) + clock.inputArguments + ["-i", "pipe:0"]
    if hasTone {
      let seconds = clock.duration.decimals(6)
      arguments += ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=\(seconds)"]
    }
    if let filter = clock.filter { arguments += ["-vf", filter] }
    arguments += clock.outputArguments + format.videoArguments
    if hasTone { arguments += format.audioArguments }
    arguments += format.containerArguments + format.extra + [file.path]

    let (count, first, size) = (clock.count, firstNumber, size)
    try Tool.ffmpeg.run(arguments) { input in
      var picture = RawPicture(size: size)
      for frame in 0..<count {
        picture.fill(NumberCode.blocks(for: first + frame), columns: NumberCode.columns)
        try input.write(picture.bytes)
      }
    }
  }

  /// Writes it into `directory` under a name with the container's extension.
  package func write(
    in directory: TemporaryDirectory, stem: String = "numbered"
  ) throws -> URL {
    let file = directory.file(format.fileName(stem))
    try write(to: file)
    return file
  }
}
