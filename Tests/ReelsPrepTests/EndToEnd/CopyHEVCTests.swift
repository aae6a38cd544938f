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

    /// A line for each packet that holds parameter sets, with their digest.
    private func packetsWithSets(_ file: URL) throws -> [String] {
      try Tool.ffmpeg.run([
        "-v", "error", "-i", file.path, "-map", "0:v", "-c", "copy", "-bsf:v",
        "filter_units=pass_types=32-34", "-f", "framemd5", "-",
      ]).text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    /// The arrays of the `hvcC` box: whether each is complete, and its type, in one byte.
    private func arrays(_ file: URL) throws -> [UInt8] {
      let bytes = [UInt8](try Data(contentsOf: file))
      let box = try #require(
        bytes.indices.first { bytes[$0...].starts(with: Array("hvcC".utf8)) })
      var position = box + 4 + 23
      return (0..<bytes[position - 1]).map { _ in
        let (head, count) = (bytes[position], Int(bytes[position + 2]))
        position += 3
        for _ in 0..<count {
          position += 2 + Int(bytes[position]) << 8 + Int(bytes[position + 1])
        }
        return head
      }
    }

    private func frames(_ file: URL) throws -> [String] {
      try Tool.ffmpeg.run([
        "-v", "error", "-i", file.path, "-map", "0:v", "-fps_mode", "passthrough", "-f",
        "framemd5", "-",
      ]).text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
        $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
      }
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
      #expect(made.manifest.video?.videoCodec == "hevc")
      #expect(made.manifest.video?.profile == "Main")
      #expect(try CopyClip.packets(made.video, "v") == CopyClip.packets(file, "v"))
      #expect(try tag(made.video) == "hvc1")
      #expect(try arrays(made.video).starts(with: [0xA0, 0xA1, 0xA2]))
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<150).map { $0 })
      let report = try await Check(isDeep: true).run(made.payload.path)
      #expect(report.failures.isEmpty, "\(report.failures)")
      #expect(report.rules.contains { $0.rule == .videoLevel && $0.verdict == .pass })
    }

    /// A transport stream repeats its parameter sets with each key frame; an `hvc1` has them beside
    /// the stream alone (ISO/IEC 14496-15, 8.4.1), so they are left out, and all else stays.
    @Test(arguments: ["clip.ts", "repeated.mp4"])
    func `repeated parameter sets are left out of a copy`(name: String) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        name, "open-gop=0:keyint=30:bframes=3:repeat-headers=1",
        CopyClip.tags + (name.hasSuffix("ts") ? [] : ["-tag:v", "hvc1"]), in: folder)
      #expect(try packetsWithSets(file).count >= 5)
      let made = try await Prepared.make(file, in: folder) { $0.preset = "reels-hevc" }
      #expect(CopyClip.steps(made.manifest, .video).map(\.action) == [.copy])
      #expect(made.manifest.work.framesEncoded == 0)
      // It asks for H.264; every other rule holds.
      let problems = try IndependentCheck(isCopy: true).problems(in: made.video)
      #expect(problems.filter { !$0.hasPrefix("video-codec: ") } == [])
      #expect(made.manifest.video?.videoCodec == "hevc")
      #expect(try tag(made.video) == "hvc1")
      #expect(try packetsWithSets(made.video) == [])
      #expect(try arrays(made.video).starts(with: [0xA0, 0xA1, 0xA2]))
      #expect(try CopyClip.packets(made.video, "v").count == CopyClip.packets(file, "v").count)
      #expect(try frames(made.video) == frames(file))
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<150).map { $0 })
      let report = try await Check(isDeep: true).run(made.payload.path)
      #expect(report.failures.isEmpty, "\(report.failures)")
    }

    @Test func `a part of a transport stream is copied from a key frame on`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip("clip.ts", "open-gop=0:keyint=30:min-keyint=30:bframes=3", in: folder)
      let made = try await Prepared.make(file, in: folder) {
        $0.preset = "reels-hevc"
        $0.start = MediaTime(seconds: 2)
      }
      #expect(CopyClip.steps(made.manifest, .video).map(\.action) == [.copy])
      #expect(try packetsWithSets(made.video) == [])
      #expect(try frames(made.video) == Array(frames(file).dropFirst(60)))
    }

    /// The second half has the first one's sets again, or others.
    @Test(arguments: [("", Plan.Step.Action.copy), ("ctu=16", .encode)])
    func `a transport stream whose parameter sets change becomes H.264`(
      parameter: String, action: Plan.Step.Action
    ) async throws {
      let folder = try TemporaryDirectory()
      let joined = folder.file("joined.hevc")
      var bytes = Data()
      for part in ["", parameter] {
        let file = folder.file("part.hevc")
        try Tool.ffmpeg.run(
          [
            "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=2", "-c:v",
            "libx265", "-preset", "superfast", "-x265-params",
            "log-level=none:keyint=30:open-gop=0:bframes=0:\(part)",
          ] + CopyClip.tags + [file.path])
        bytes += try Data(contentsOf: file)
      }
      try bytes.write(to: joined)
      let file = folder.file("clip.ts")
      try Tool.ffmpeg.run([
        "-v", "error", "-fflags", "+genpts", "-r", "30", "-i", joined.path, "-c", "copy", file.path,
      ])
      let made = try await Prepared.make(file, in: folder) { $0.preset = "reels-hevc" }
      #expect(CopyClip.steps(made.manifest, .video).map(\.action) == [action])
      #expect(made.manifest.video?.frames == 120)
      if action == .copy { #expect(try frames(made.video) == frames(file)) }
    }

    @Test func `the default preset makes H.264 of it`() async throws {
      let folder = try TemporaryDirectory()
      let made = try await Prepared.make(try clip(in: folder), in: folder)
      #expect(CopyClip.steps(made.manifest, .video).map(\.rule) == [.videoCodec])
      #expect(made.manifest.video?.videoCodec == "h264")
    }

    @Test(arguments: [
      ("open-gop=1:keyint=30:bframes=3", CopyClip.tags, Rule.closedGOP),
      ("open-gop=0:keyint=30", CopyClip.noTags, .colorTags),
      ("open-gop=0:keyint=30", CopyClip.tags + ["-pix_fmt", "yuv420p10le"], .pixelFormat),
    ]) func `what breaks a rule becomes H.264`(
      parameters: String, arguments: [String], rule: Rule
    ) async throws {
      let folder = try TemporaryDirectory()
      let made = try await Prepared.make(
        try clip("clip.mp4", parameters, arguments, in: folder), in: folder
      ) { $0.preset = "reels-hevc" }
      let steps = CopyClip.steps(made.manifest, .video)
      #expect(steps.map(\.action).allSatisfy { $0 == .encode })
      #expect(made.manifest.video?.videoCodec == "h264")
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
