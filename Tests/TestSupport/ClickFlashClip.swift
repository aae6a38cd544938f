package import Foundation
package import ReelsModel

/// A black, silent clip in which, at each event, the picture turns white and a click sounds at the
/// very instant at which that frame begins; `SyncMeter` measures what became of them.
package struct ClickFlashClip: Sendable {
  package var clock: ClipClock
  /// Seconds from the first frame; each event is at the frame that begins nearest.
  package var events: [Double]
  package var size: PixelSize
  package var format: ClipFormat
  /// For how many frames a flash lasts: more than one where frames may be dropped.
  package var flashFrames: Int
  /// A fault put in on purpose: seconds by which each click is late.
  package var clickDelay: Double
  /// When the sound begins, in seconds from the first frame; negative is before it.
  package var audioStart: Double
  /// Hertz.
  package var sampleRate: Int
  package var channels: Int

  package init(
    _ clock: ClipClock, events: [Double], size: PixelSize = PixelSize(width: 160, height: 90),
    format: ClipFormat = ClipFormat(), flashFrames: Int = 1, clickDelay: Double = 0,
    audioStart: Double = 0, sampleRate: Int = 48_000, channels: Int = 2
  ) {
    self.clock = clock
    self.events = events
    self.size = size
    self.format = format
    self.flashFrames = flashFrames
    self.clickDelay = clickDelay
    self.audioStart = audioStart
    self.sampleRate = sampleRate
    self.channels = channels
  }

  /// The first frame of each flash.
  package var flashes: [Int] {
    events.map { clock.frame(nearest: MediaTime(seconds: Ratio(approximating: $0))) }
  }

  package func write(to file: URL) throws {
    let folder = try TemporaryDirectory()
    let sound = folder.file("clicks.wav")
    try wave.write(to: sound)

    var arguments = ["-v", "error", "-y"]
    arguments += ["-itsoffset", "\(max(0, -audioStart))"]
    arguments += RawPicture.inputArguments(size: size) + clock.inputArguments + ["-i", "pipe:0"]
    arguments += ["-itsoffset", "\(max(0, audioStart))", "-i", sound.path]
    if let filter = clock.filter { arguments += ["-vf", filter] }
    arguments += clock.outputArguments + format.videoArguments + format.audioArguments
    arguments += format.containerArguments + format.extra + [file.path]

    let white = Set(flashes.flatMap { $0..<$0 + flashFrames })
    let (count, size) = (clock.count, size)
    try Tool.ffmpeg.run(arguments) { input in
      var picture = RawPicture(size: size)
      for frame in 0..<count {
        picture.fill(white.contains(frame) ? RawPicture.white : RawPicture.black)
        try input.write(picture.bytes)
      }
    }
  }

  /// Writes it into `directory` under a name with the container's extension.
  package func write(in directory: TemporaryDirectory, stem: String = "clicks") throws -> URL {
    let file = directory.file(format.fileName(stem))
    try write(to: file)
    return file
  }

  /// The sound, as a WAVE file of 16-bit samples.
  private var wave: Data {
    let count = Int(((clock.duration.doubleValue - audioStart) * Double(sampleRate)).rounded())
    var samples = [Int16](repeating: 0, count: max(0, count) * channels)
    let click = Click.samples(rate: sampleRate).map { Int16($0 * 32_767) }
    for flash in flashes {
      let time = clock.time(of: flash).doubleValue + clickDelay - audioStart
      let start = Int((time * Double(sampleRate)).rounded())
      for (offset, value) in click.enumerated() where (0..<count).contains(start + offset) {
        for channel in 0..<channels { samples[(start + offset) * channels + channel] = value }
      }
    }
    var data = Data("RIFF".utf8)
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    append(UInt32(36 + samples.count * 2))
    data.append(contentsOf: Data("WAVEfmt ".utf8))
    append(UInt32(16))
    append(UInt16(1))
    append(UInt16(channels))
    append(UInt32(sampleRate))
    append(UInt32(sampleRate * channels * 2))
    append(UInt16(channels * 2))
    append(UInt16(16))
    data.append(contentsOf: Data("data".utf8))
    append(UInt32(samples.count * 2))
    samples.withUnsafeBytes { data.append(contentsOf: $0) }
    return data
  }
}
