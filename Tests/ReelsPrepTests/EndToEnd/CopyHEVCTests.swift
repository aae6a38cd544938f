import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// HEVC stays HEVC where the preset says so and every rule holds.
  @Suite(
    .enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"),
    .serialized)
  struct CopyHEVCTests {
    private func clip(
      _ name: String = "clip.mp4", _ parameters: String = "open-gop=0:keyint=30",
      _ arguments: [String] = CopyClip.tags + ["-tag:v", "hvc1"], in folder: TemporaryDirectory
    ) throws -> URL {
      let raw = try NumberedClip(
        .constant(Ratio(30), seconds: 5), format: ClipFormat(.mp4, gopFrames: 1, crf: 4),
        hasTone: true
      ).write(in: folder, stem: "raw")
      let file = folder.file(name)
      try Tool.ffmpeg.run(
        [
          "-v", "error", "-i", raw.path, "-c:v", "libx265", "-preset", "superfast", "-crf", "20",
          "-x265-params", "log-level=none:\(parameters)", "-c:a", "copy",
        ] + arguments + [file.path])
      return file
    }

    private func tag(_ file: URL) throws -> String {
      try Tool.ffprobe.run([
        "-v", "error", "-select_streams", "v", "-show_entries", "stream=codec_tag_string", "-of",
        "default=nw=1:nk=1", file.path,
      ]).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test(arguments: ["clip.mp4", "clip.mov", "clip.mkv"]) func `every packet is the source's own`(
      name: String
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        name, "open-gop=0:keyint=30",
        CopyClip.tags + (name.hasSuffix("mkv") ? [] : ["-tag:v", "hvc1"]),
        in: folder)
      let made = try await Prepared.make(file, in: folder) { $0.preset = "reels-hevc" }
      #expect(CopyClip.steps(made.manifest, .video).map(\.action) == [.copy])
      #expect(made.manifest.work.framesEncoded == 0)
      #expect(made.manifest.video.videoCodec == "hevc")
      #expect(made.manifest.video.profile == "Main")
      #expect(try CopyClip.packets(made.video, "v") == CopyClip.packets(file, "v"))
      #expect(try tag(made.video) == "hvc1")
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<150).map { $0 })
      let report = try await Check(isDeep: true).run(made.payload.path)
      #expect(report.failures.isEmpty, "\(report.failures)")
      #expect(report.rules.contains { $0.rule == .videoLevel && $0.verdict == .pass })
    }

    @Test func `the default preset makes H.264 of it`() async throws {
      let folder = try TemporaryDirectory()
      let made = try await Prepared.make(try clip(in: folder), in: folder)
      #expect(CopyClip.steps(made.manifest, .video).map(\.rule) == [.videoCodec])
      #expect(made.manifest.video.videoCodec == "h264")
    }

    @Test(arguments: [
      ("open-gop=1:keyint=30:bframes=3", CopyClip.tags, Rule.closedGOP),
      ("open-gop=0:keyint=30", CopyClip.noTags, .colorTags),
      ("open-gop=0:keyint=30", CopyClip.tags + ["-pix_fmt", "yuv420p10le"], .pixelFormat),
      ("open-gop=0:keyint=30:repeat-headers=1", CopyClip.tags, .videoCodec),
    ]) func `what breaks a rule becomes H.264`(
      parameters: String, arguments: [String], rule: Rule
    ) async throws {
      let folder = try TemporaryDirectory()
      let made = try await Prepared.make(
        try clip("clip.mp4", parameters, arguments, in: folder), in: folder
      ) { $0.preset = "reels-hevc" }
      let steps = CopyClip.steps(made.manifest, .video)
      #expect(steps.map(\.action).allSatisfy { $0 == .encode })
      #expect(made.manifest.video.videoCodec == "h264")
      #expect(try IndependentCheck.problems(in: made.video) == [])
    }

    @Test func `hostile parameter sets do not trap`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(in: folder)
      let bytes = [UInt8](try Data(contentsOf: file))
      let start = try #require(
        bytes.indices.first { bytes[$0...].starts(with: Array("hvcC".utf8)) })
      let box = Array(bytes[(start + 4)..<min(bytes.count, start + 5_000)])
      var generator = SeededGenerator(state: 5)
      let sets = { (bytes: [UInt8]) in
        try? ParameterSets(hvcC: MP4Box(type: "hvcC", offset: 0, headerSize: 0, payload: bytes))
      }
      let good = try #require(sets(box))
      #expect(good.sequences.first?.size == PixelSize(width: 320, height: 180))
      #expect(good.sequences.first?.color == .bt709)
      #expect(
        good.sequences.first?.levelShortfall(frameRate: Ratio(30), demand: BitDemand()) == nil)
      #expect(
        good.sequences.first?.levelShortfall(frameRate: Ratio(100_000), demand: BitDemand())
          != nil)
      for _ in 0..<3_000 {
        var broken = box
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
          broken[Int.random(in: 0..<250, using: &generator)] = .random(
            in: 0...255, using: &generator)
        }
        if let found = sets(Array(broken.prefix(.random(in: 0...box.count, using: &generator)))) {
          _ = found.sequences.map {
            (
              $0.levelShortfall(frameRate: Ratio(30), demand: BitDemand()), $0.size,
              $0.profileName
            )
          }
        }
      }
    }
  }
}
