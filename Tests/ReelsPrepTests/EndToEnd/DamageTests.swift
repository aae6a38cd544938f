import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Frames that are lost or broken are concealed and counted, and too many are a refusal.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct DamageTests {
    private func clip(
      _ container: ClipFormat.Container = .mp4, in folder: TemporaryDirectory,
      extra: [String] = []
    ) throws -> URL {
      try NumberedClip(
        .constant(Ratio(30), frames: 150), format: ClipFormat(container, bFrames: 0, extra: extra)
      ).write(in: folder)
    }

    /// Places that show another frame than their own.
    private func wrong(_ video: URL) throws -> Int {
      try NumberReader.read(video).enumerated().count { $0.offset != $0.element.number }
    }

    @Test(arguments: [false, true]) func `frames lost in the middle are held and counted`(
      noise: Bool
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(in: folder, extra: ["-c:v", "mjpeg", "-q:v", "3"])
      try PacketPatch.damage(file, noise: noise) { (45..<75).contains($0) }
      let made = try await Prepared.make(file, in: folder)
      #expect(try wrong(made.video) == 30)
      #expect(made.manifest.damage.framesConcealed == 30)
      #expect(abs(made.manifest.damage.share - 0.2) < 1e-9)
      #expect(made.manifest.warnings.contains { $0.code == "video-damage" })
    }

    @Test func `predicted frames after a loss are not all whole`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(in: folder)
      try PacketPatch.damage(file) { (40..<60).contains($0) }
      let made = try await Prepared.make(file, in: folder)
      // What refers to lost frames until the next key frame may look whole; what never came does not.
      #expect(made.manifest.damage.framesConcealed >= 20)
      #expect(made.manifest.video?.frames == 150)
    }

    @Test func `more than the preset allows is refused, and nothing is left`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(in: folder)
      try PacketPatch.damage(file) { (30..<120).contains($0) }
      let error = await #expect(throws: PrepError.self) {
        try await Prepared.make(file, in: folder)
      }
      #expect(error?.code == .damaged)
      #expect(error?.sentence.contains("90 of 150 frames") == true, "\(error?.sentence ?? "")")
      #expect(folder.contents == [file.lastPathComponent])
    }

    @Test func `a start that does not decode is said`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(in: folder)
      try PacketPatch.damage(file) { $0 < 30 }
      let made = try await Prepared.make(file, in: folder)
      #expect(try NumberReader.read(made.video).map(\.number) == (30..<150).map { $0 })
      let warning = made.manifest.warnings.first { $0.code == "starts-late" }
      #expect(warning?.sentence.contains("1.0 s") == true)
    }

    @Test func `a time without frames is said`() async throws {
      let folder = try TemporaryDirectory()
      let times = (0..<60).map { Int64($0) * 40 } + (100..<150).map { Int64($0) * 40 }
      let file = try NumberedClip(.variable(milliseconds: times), format: ClipFormat(.mkv))
        .write(in: folder)
      let made = try await Prepared.make(file, in: folder)
      let warning = made.manifest.warnings.first { $0.code == "frame-gaps" }
      #expect(
        warning?.sentence.contains("1.6 s at 2.4 s") == true, "\(warning?.sentence ?? "none")")
      #expect(made.manifest.damage.framesConcealed == 0)
    }

    @Test func `a hole in a transport stream is passed over`() async throws {
      let folder = try TemporaryDirectory()
      let clip = NumberedClip(
        .constant(Ratio(30), seconds: 8), size: PixelSize(width: 640, height: 360),
        format: ClipFormat(
          .ts, gopFrames: 15, extra: ["-vf", "noise=alls=30:allf=t", "-crf", "24"]))
      let file = try clip.write(in: folder)
      var bytes = [UInt8](try Data(contentsOf: file))
      try #require(bytes.count > 1_000_000)
      let hole = bytes.count / 2..<bytes.count / 2 + 300_000
      bytes.replaceSubrange(hole, with: [UInt8](repeating: 0, count: hole.count))
      try Data(bytes).write(to: file)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.manifest.damage.framesConcealed > 3)
      #expect(try #require(made.manifest.video).frames >= 238)
      #expect(try NumberReader.read(made.video).last?.number == 239)
    }

    /// Such containers go on where the next cluster begins, and no packet tells of what was there.
    @Test(arguments: ["webm", "flv"]) func `what a container loses is counted`(
      container: String
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = folder.file("clip.\(container)")
      try NumberedClip(
        .constant(Ratio(30), seconds: 8), size: PixelSize(width: 320, height: 180),
        format: ClipFormat(
          container == "webm" ? .webm : .mkv, videoCodec: container == "webm" ? .vp8 : .h264,
          gopFrames: 15,
          extra: ["-vf", "noise=alls=30:allf=t", "-cluster_time_limit", "500"]
            + (container == "flv" ? ["-f", "flv"] : []))
      ).write(to: file)
      var bytes = [UInt8](try Data(contentsOf: file))
      let hole = bytes.count * 4 / 10..<bytes.count * 6 / 10
      bytes.replaceSubrange(hole, with: [UInt8](repeating: 0, count: hole.count))
      try Data(bytes).write(to: file)
      let made = try await Prepared.make(file, in: folder)
      let wrong = try wrong(made.video)
      #expect(wrong >= 40)
      // What refers to lost frames until the next key frame may look whole.
      #expect((wrong - 15...wrong + 3).contains(made.manifest.damage.framesConcealed))
    }
  }
}
