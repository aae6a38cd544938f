import Foundation
import ReelsModel
import TestSupport
import Testing

@Suite(.enabled(if: Tool.ffmpeg.isAvailable)) struct NumberReaderTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Times from the first frame on, in milliseconds.
  private func milliseconds(_ readings: [NumberReader.Reading]) -> [Double] {
    let first = readings.first?.pts ?? .zero
    return readings.map { (($0.pts ?? .zero) - first).doubleValue * 1000 }
  }

  @Test(arguments: ClipFormat.Container.allCases)
  func `every number and time of a clip is read`(container: ClipFormat.Container) throws {
    for rate in [Ratio(24), Ratio(30000, 1001), Ratio(60)] {
      let clock = ClipClock.constant(rate, frames: 50)
      let clip = NumberedClip(clock, format: ClipFormat(container, gopFrames: 20), firstNumber: 900)
      let readings = try NumberReader.read(clip.write(in: folder))
      #expect(readings.map(\.number) == (900..<950).map { $0 })
      for (index, time) in milliseconds(readings).enumerated() {
        // Matroska counts whole milliseconds.
        #expect(abs(time - clock.time(of: index).doubleValue * 1000) < 1.01)
      }
    }
  }

  @Test func `times of a MOV are exact`() throws {
    let clock = ClipClock.constant(Ratio(30000, 1001), frames: 40)
    let readings = try NumberReader.read(
      NumberedClip(clock, format: ClipFormat(.mov)).write(in: folder))
    #expect(readings.map(\.pts) == (0..<40).map { clock.time(of: $0) })
  }

  @Test(arguments: [ClipFormat.Container.mp4, .mkv])
  func `a variable clip keeps its times`(container: ClipFormat.Container) throws {
    let times: [Int64] = [0, 16, 33, 50, 400, 1400, 1416, 1500, 3000, 3010]
    let clip = NumberedClip(.variable(milliseconds: times), format: ClipFormat(container))
    let readings = try NumberReader.read(clip.write(in: folder))
    #expect(readings.map(\.number) == times.indices.map { $0 })
    #expect(milliseconds(readings).map { Int64($0.rounded()) } == times)
  }

  @Test(arguments: [VideoCase(.vp8), VideoCase(.vp9), VideoCase(.h264)])
  func `every number survives half the size and a poor encode`(codec: VideoCase) throws {
    let format = ClipFormat(codec.codec == .h264 ? .mp4 : .webm, videoCodec: codec.codec)
    let source = try NumberedClip(.constant(Ratio(30), frames: 60), format: format)
      .write(in: folder)
    let small = folder.file("small.mp4")
    try Tool.ffmpeg.run(
      ["-v", "error", "-i", source.path, "-vf", "scale=iw/2:ih/2", "-c:v", "libx264"]
        + ["-preset", "superfast", "-crf", "32", small.path])
    #expect(try NumberReader.read(small).map(\.number) == (0..<60).map { $0 })
  }

  struct VideoCase: Sendable, CustomStringConvertible {
    let codec: ClipFormat.VideoCodec
    init(_ codec: ClipFormat.VideoCodec) { self.codec = codec }
    var description: String { codec.rawValue }
  }

  @Test func `a filter uncovers a picture that was padded and turned`() throws {
    let source = try NumberedClip(.constant(Ratio(25), frames: 10)).write(in: folder)
    let padded = folder.file("padded.mp4")
    try Tool.ffmpeg.run(
      ["-v", "error", "-i", source.path, "-vf", "pad=320:400:0:60,transpose=1", padded.path])
    #expect(try NumberReader.read(padded).allSatisfy { $0.number == nil })
    let readings = try NumberReader.read(padded, filter: "transpose=2,crop=320:180:0:60")
    #expect(readings.map(\.number) == (0..<10).map { $0 })
  }

  @Test func `blended frames read as none`() throws {
    let source = try NumberedClip(.constant(Ratio(30), frames: 20)).write(in: folder)
    let blended = folder.file("blended.mp4")
    try Tool.ffmpeg.run(
      ["-v", "error", "-i", source.path, "-vf", "tmix=frames=2", "-crf", "18", blended.path])
    #expect(try NumberReader.read(blended).filter { $0.number != nil }.count <= 1)
  }

  @Test func `an edit list is honoured or ignored as asked`() throws {
    let source = try NumberedClip(
      .constant(Ratio(30), frames: 60), format: ClipFormat(gopFrames: 60, bFrames: 0)
    ).write(in: folder)
    let cut = folder.file("cut.mp4")
    // Copying from between key frames leaves the frames before the cut in the file, hidden.
    try Tool.ffmpeg.run(
      ["-v", "error", "-ss", "0.5", "-i", source.path, "-c", "copy", cut.path])
    #expect(try BoxOracle(cut).contains("elst"))
    #expect(try NumberReader.read(cut).map(\.number).first == 15)
    let whole = try NumberReader.read(cut, editLists: .ignored)
    #expect(whole.map(\.number) == (0..<60).map { $0 })
  }
}
