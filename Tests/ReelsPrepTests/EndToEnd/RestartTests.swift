import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Streams that were joined as bytes: the clock begins anew in the middle.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct RestartTests {
    /// Numbered frames from 0 on.
    private func part(
      _ frames: Int, _ name: String, _ arguments: [String], in folder: TemporaryDirectory
    ) throws -> URL {
      let raw = try NumberedClip(
        .constant(Ratio(30), frames: frames), format: ClipFormat(.mkv, gopFrames: 1, crf: 4)
      ).write(in: folder, stem: "raw-\(name)")
      let file = folder.file(name)
      try Tool.ffmpeg.run(["-v", "error", "-i", raw.path] + arguments + [file.path])
      return file
    }

    private func join(_ parts: [URL], _ name: String, in folder: TemporaryDirectory) throws -> URL {
      let file = folder.file(name)
      try parts.reduce(into: Data()) { try $0.append(Data(contentsOf: $1)) }.write(to: file)
      return file
    }

    private static let transport =
      StampTests.h264 + ["-bf", "2", "-pix_fmt", "yuv420p", "-f", "mpegts"]
    private static let program = [
      "-c:v", "mpeg2video", "-q:v", "2", "-bf", "0", "-pix_fmt", "yuv420p", "-f", "vob",
    ]

    @Test(arguments: [
      (transport, transport), (transport, transport + ["-output_ts_offset", "50000"]),
      (transport + ["-output_ts_offset", "50000"], transport), (program, program),
    ])
    func `every frame of both parts is shown, once and in its order`(
      first: [String], second: [String]
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try join(
        [
          try part(100, "one.bin", first, in: folder), try part(130, "two.bin", second, in: folder),
        ], "joined.bin", in: folder)
      let made = try await Prepared.make(file, in: folder)
      let all = (0..<100).map { $0 } + (0..<130).map { $0 }
      #expect(try NumberReader.read(made.video).map(\.number) == all)
      #expect(made.manifest.damage.framesConcealed == 0)
      #expect(made.manifest.warnings.map(\.code).contains("clock-restarts"))
      #expect(!made.manifest.warnings.map(\.code).contains("ends-early"))

      let cut = try await Prepared.make(file, in: folder) {
        $0.slug = "cut"
        $0.start = MediaTime(seconds: Ratio(1205, 300))
      }
      #expect(try NumberReader.read(cut.video).map(\.number) == (20..<130).map { $0 })
      #expect(!cut.manifest.warnings.map(\.code).contains("clock-restarts"))
    }

    /// Where the sample rate changes as well, libav computes times by the old one.
    @Test(arguments: [48_000, 44_100, 32_000]) func `sound stays with the picture on both sides`(
      second: Int
    ) async throws {
      let folder = try TemporaryDirectory()
      func part(_ name: String, _ sampleRate: Int = 48_000) throws -> URL {
        try ClickFlashClip(
          .constant(Ratio(30), seconds: 4), events: [0.5, 2, 3.5], format: ClipFormat(.ts),
          sampleRate: sampleRate
        ).write(in: folder, stem: name)
      }
      let parts = [try part("one"), try part("two", second), try part("three")]
      let input = try SyncMeter(parts[0])
      let made = try await Prepared.make(
        try join(parts, "joined.ts", in: folder), in: folder)
      let meter = try SyncMeter(made.video)
      #expect(meter.events.count == 9)
      #expect(abs(meter.worst) <= SyncTests.kept + abs(input.worst), "\(meter.events)")
      #expect(try IndependentCheck.problems(in: made.video) == [])
    }

    /// The picture stops for twelve seconds while the sound goes on: no other clock.
    @Test func `a pause of the picture alone is held`() async throws {
      let folder = try TemporaryDirectory()
      let file = folder.file("pause.ts")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "testsrc=r=25:d=20:s=320x240", "-f", "lavfi", "-i",
        "sine=d=20", "-vf", "select='lt(t,4)+gte(t,16)'", "-fps_mode", "passthrough",
        "-c:v", "mpeg2video", "-g", "1", "-c:a", "mp2", file.path,
      ])
      let made = try await Prepared.make(file, in: folder)
      #expect(made.manifest.warnings.map(\.code).contains("frame-gaps"))
      #expect(!made.manifest.warnings.map(\.code).contains("clock-restarts"))
      #expect(try #require(made.manifest.window).duration > MediaTime(seconds: 19))
    }
  }
}
