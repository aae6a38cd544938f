import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// What other tools leave in Matroska's time stamps.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct MatroskaTimeTests {
    private func remuxed(_ arguments: [String], in folder: TemporaryDirectory) throws -> URL {
      let source = try CopyClip.make(
        .mp4, .constant(Ratio(30), seconds: 5), bFrames: 2, extra: ["-b_strategy", "0"], in: folder)
      let file = folder.file("remuxed.mkv")
      try Tool.ffmpeg.run(
        ["-v", "error", "-y", "-i", source.path, "-c", "copy"] + arguments + [file.path])
      return file
    }

    /// Only the times of showing go back where pictures are reordered.
    @Test func `pictures that are reordered late keep their times, and are copied`() async throws {
      let folder = try TemporaryDirectory()
      let file = try remuxed([], in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(try NumberReader.read(made.video).map(\.number) == Array(0..<150))
      #expect(CopyClip.steps(made.manifest, .video).first?.action == .copy)
    }

    /// A block before 0 has no time for any reader: T = 0 is the first that has.
    @Test func `what lies before the file's time is left out and said`() async throws {
      let folder = try TemporaryDirectory()
      let file = try remuxed(
        ["-output_ts_offset", "-1", "-avoid_negative_ts", "disabled"], in: folder)
      let made = try await Prepared.make(file, in: folder)
      let numbers = try NumberReader.read(made.video).map(\.number)
      #expect(numbers == Array(30..<150))
      let warning = made.manifest.warnings.first { $0.code == "starts-late" }
      #expect(warning?.sentence.contains("the first 1.0 s of the picture") == true)
    }

    @Test func `sound before the file's time is left out with the picture`() async throws {
      let folder = try TemporaryDirectory()
      let source = try ClickFlashClip(.constant(Ratio(30), seconds: 6), events: [0.5, 2.5, 4])
        .write(in: folder)
      let file = folder.file("remuxed.mkv")
      try Tool.ffmpeg.run([
        "-v", "error", "-y", "-i", source.path, "-c", "copy", "-output_ts_offset", "-1",
        "-avoid_negative_ts", "disabled", file.path,
      ])
      let made = try await Prepared.make(file, in: folder)
      let meter = try SyncMeter(made.video)
      #expect(meter.events.count == 2)
      // Matroska rounds to milliseconds.
      #expect(abs(meter.worst) <= SyncTests.kept + 1, "\(meter.events) \(meter.loneClicks)")
    }
  }
}
