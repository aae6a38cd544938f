import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// What a header says of the length is measured, not believed.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct DurationTests {
    static let headers = ["moov/mvhd", "moov/trak/tkhd", "moov/trak/mdia/mdhd"]

    /// Writes another length into headers of version 0.
    private func claim(_ seconds: Int, in paths: [String], of file: URL) throws {
      let boxes = try BoxOracle(file)
      let movie = boxes.all("moov/mvhd").first.flatMap { boxes.word($0, at: 12) } ?? 1_000
      for path in paths {
        #expect(!boxes.all(path).isEmpty)
        for box in boxes.all(path) {
          let isTrack = path.hasSuffix("tkhd")
          let scale = isTrack ? movie : boxes.word(box, at: 12) ?? 1_000
          let ticks = UInt32(clamping: seconds * Int(scale))
          try BoxPatch.write(
            withUnsafeBytes(of: ticks.bigEndian) { [UInt8]($0) },
            at: box.body.lowerBound + (isTrack ? 20 : 16), of: file)
        }
      }
    }

    @Test(arguments: [0, 3_600], [headers, ["moov/mvhd"], ["moov/trak/mdia/mdhd"]])
    func `a header's length changes nothing`(seconds: Int, paths: [String]) async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(in: folder)
      try claim(seconds, in: paths, of: file)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.isCopy(.video))
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })
      // What is too long is said; a wrong length of one table is nobody's loss.
      let isSaid = SourceClip.codes(made).contains("ends-early")
      #expect(isSaid == (seconds == 3_600 && paths.contains("moov/mvhd")))
      let cut = try await Prepared.make(file, in: folder, slug: "cut") {
        $0.start = MediaTime(seconds: Ratio(455, 300))
      }
      #expect(try NumberReader.read(cut.video).map(\.number) == (45..<180).map { $0 })
    }

    @Test(arguments: [0, 90_000]) func `fragments that claim days last as long as they do`(
      seconds: Int
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(
        extra: ["-movflags", "frag_keyframe+empty_moov", "-b_strategy", "0"], in: folder)
      // The time scale is less, or a day would not fit.
      try claim(seconds == 0 ? 0 : 40_000, in: Self.headers, of: file)
      let made = try await Prepared.make(file, in: folder)
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })
      #expect(made.manifest.window?.duration == MediaTime(seconds: 6))
    }

    /// As MediaRecorder writes it: no length, no cues, clusters of unknown size.
    @Test(arguments: [["-live", "1"], []]) func `WebM of a recorder has no length`(
      arguments: [String]
    ) async throws {
      let folder = try TemporaryDirectory()
      let raw = try NumberedClip(
        .constant(Ratio(30), seconds: 6),
        format: ClipFormat(.webm, videoCodec: .vp8), hasTone: true
      ).write(in: folder, stem: "raw")
      let piped = try Tool.ffmpeg.run(
        ["-v", "error", "-i", raw.path, "-c", "copy", "-f", "webm"] + arguments + ["pipe:1"])
      let file = folder.file("recorded.webm")
      try piped.stdout.write(to: file)
      if !arguments.isEmpty { #expect(try Probe(file).format.duration == nil) }
      for (slug, first) in [("whole", 0), ("cut", 45)] {
        let made = try await Prepared.make(file, in: folder, slug: slug) {
          if first > 0 { $0.start = MediaTime(seconds: Ratio(Int64(first) * 10 + 5, 300)) }
        }
        #expect(try NumberReader.read(made.video).map(\.number) == (first..<180).map { $0 })
        #expect(!SourceClip.codes(made).contains("ends-early"))
      }
    }

    /// Neither has a word on its length; the end of a transport stream is its last packet's.
    @Test(arguments: ["bare.ts", "bare.h264", "bare.m2v"]) func `a bare stream is measured`(
      name: String
    ) async throws {
      let folder = try TemporaryDirectory()
      let whole = try CopyClip.make(tone: false, in: folder)
      let file = try SourceClip.remux(
        whole, to: name,
        name.hasSuffix("m2v") ? ["-c:v", "mpeg2video", "-q:v", "2"] : ["-c", "copy"], in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })
      #expect(made.manifest.video?.durationSeconds == MediaTime(seconds: 6))
    }
  }
}
