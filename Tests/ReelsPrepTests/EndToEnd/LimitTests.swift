import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// On the limits: 3.000 s is enough, and nothing ends after 60.000 s.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct LimitTests {
    private func clip(
      _ rate: Ratio, _ frames: Int, in folder: TemporaryDirectory, sound: String? = nil
    ) throws -> URL {
      let clip = NumberedClip(
        .constant(rate, frames: frames), size: PixelSize(width: 64, height: 32),
        format: ClipFormat(extra: CopyClip.tags), hasTone: true)
      return try clip.write(in: folder)
    }

    @Test(
      arguments: [
        (Ratio(30), 90, "3"), (Ratio(30), 91, "3.033333333"), (Ratio(30000, 1001), 90, "3.003"),
        (Ratio(25), 75, "3"), (Ratio(24000, 1001), 72, "3.003"), (Ratio(60), 180, "3"),
      ], [false, true]) func `three seconds are enough`(
        clip: (rate: Ratio, frames: Int, seconds: String), reencode: Bool
      ) async throws
    {
      let folder = try TemporaryDirectory()
      let file = try self.clip(clip.rate, clip.frames, in: folder)
      let made = try await Prepared.make(file, in: folder) { $0.reencode = reencode }
      #expect(made.manifest.video?.frames == clip.frames)
      #expect(made.isCopy(.video) != reencode)
      let length = try #require(made.manifest.video).durationSeconds
      #expect(length >= MediaTime(seconds: 3))
      #expect(abs(length.doubleValue - (Double(clip.seconds) ?? 0)) < 1e-6)
    }

    @Test(arguments: [
      (Ratio(30), 89, "2.967"), (Ratio(30000, 1001), 89, "2.970"), (Ratio(25), 74, "2.960"),
      (Ratio(60), 179, "2.983"), (Ratio(50), 149, "2.980"),
    ]) func `one frame less is refused, with its length and the way out`(
      rate: Ratio, frames: Int, seconds: String
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(rate, frames, in: folder)
      let error = await #expect(throws: PrepError.self) {
        try await Prepared.make(file, in: folder)
      }
      #expect(error?.code == .tooShort)
      #expect(
        error?.sentence == "numbered.mp4 lasts \(seconds) s, Instagram Reels needs 3 s or more; "
          + "use --short loop or --short hold")
      let made = try await Prepared.make(file, in: folder) { $0.short = .hold }
      #expect(try #require(made.manifest.video).durationSeconds >= MediaTime(seconds: 3))
      #expect(
        try #require(made.manifest.video).durationSeconds < MediaTime(seconds: Ratio(305, 100)))
    }

    /// 60.000 s is taken whole; 60.02 and 60.0266 s lose what is over.
    @Test(arguments: [
      (Ratio(25), 1_500, 1_500), (Ratio(50), 3_001, 3_000), (Ratio(30000, 1001), 1_799, 1_798),
    ]) func `sixty seconds are the end`(rate: Ratio, frames: Int, kept: Int) async throws {
      let folder = try TemporaryDirectory()
      let made = try await Prepared.make(try clip(rate, frames, in: folder), in: folder)
      #expect(made.manifest.video?.frames == kept)
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<kept).map { $0 })
      for track in try BoxOracle(made.video).tracks {
        #expect(track.length <= MediaTime(seconds: 60))
        #expect(track.length > MediaTime(seconds: Ratio(5_996, 100)))
      }
    }
  }
}
