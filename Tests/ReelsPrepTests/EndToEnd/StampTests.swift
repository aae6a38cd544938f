import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Files whose packets do not say when they are shown, or say it in their own way.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct StampTests {
    /// What the clip is encoded and wrapped as.
    struct Kind: Sendable, CustomTestStringConvertible {
      var name: String
      var arguments: [String]
      var rate = Ratio(30)
      var testDescription: String { name }
    }

    static let h264 = [
      "-c:v", "libx264", "-preset", "superfast", "-crf", "16", "-g", "30", "-b_strategy", "0",
    ]

    static let kinds: [Kind] = [
      Kind(name: "b.avi", arguments: h264 + ["-bf", "2"]),
      Kind(name: "b1.avi", arguments: h264 + ["-bf", "1"]),
      Kind(name: "mpeg4.avi", arguments: ["-c:v", "mpeg4", "-q:v", "2", "-bf", "2", "-g", "30"]),
      Kind(name: "clip.mpg", arguments: ["-c:v", "mpeg2video", "-q:v", "2", "-bf", "2"]),
      Kind(name: "no-b.mpg", arguments: ["-c:v", "mpeg2video", "-q:v", "2", "-bf", "0"]),
      Kind(
        name: "clip.vob", arguments: ["-c:v", "mpeg2video", "-q:v", "2", "-bf", "2", "-f", "vob"]),
      Kind(name: "clip.m2v", arguments: ["-c:v", "mpeg2video", "-q:v", "2", "-bf", "2"]),
      Kind(name: "clip.h264", arguments: h264 + ["-bf", "2"]),
      Kind(name: "open.ts", arguments: h264 + ["-bf", "2", "-x264-params", "open-gop=1"]),
      Kind(
        name: "refresh.mp4",
        arguments: h264 + ["-bf", "0", "-x264-params", "intra-refresh=1:keyint=30"]),
      Kind(name: "single.mkv", arguments: h264 + ["-bf", "2", "-g", "999"]),
    ]

    private func write(_ kind: Kind, in folder: TemporaryDirectory) throws -> URL {
      let file = folder.file(kind.name)
      // A number per frame, and no sound.
      let raw = try NumberedClip(
        .constant(kind.rate, frames: 150),
        format: ClipFormat(.mkv, gopFrames: 1, bFrames: 0, crf: 4)
      ).write(in: folder, stem: "raw")
      try Tool.ffmpeg.run(
        ["-v", "error", "-i", raw.path] + kind.arguments + ["-pix_fmt", "yuv420p", file.path])
      return file
    }

    @Test(arguments: kinds) func `every frame is shown, once and in its order`(
      kind: Kind
    ) async throws {
      let folder = try TemporaryDirectory()
      let made = try await Prepared.make(try write(kind, in: folder), in: folder)
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<150).map { $0 })
      #expect(made.manifest.damage.framesConcealed == 0)
    }

    @Test(arguments: kinds) func `a cut begins at its frame`(
      kind: Kind
    ) async throws {
      let folder = try TemporaryDirectory()
      let made = try await Prepared.make(try write(kind, in: folder), in: folder) {
        $0.start = MediaTime(seconds: Ratio(455, 300))
      }
      #expect(try NumberReader.read(made.video).map(\.number) == (45..<150).map { $0 })
      #expect(made.manifest.damage.framesConcealed == 0)
    }

    /// Of an MP4 that has lost its composition offsets, decoding times are all there is.
    @Test(arguments: [0, 45]) func `B-frames without composition offsets are in order`(
      first: Int
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try write(
        Kind(name: "b.mp4", arguments: Self.h264 + ["-bf", "2"]), in: folder)
      #expect(try PacketPatch.rename("ctts", to: "free", in: file) == 1)
      try PacketPatch.rename("edts", to: "free", in: file)
      let made = try await Prepared.make(file, in: folder) {
        if first > 0 { $0.start = MediaTime(seconds: Ratio(Int64(first) * 10 + 5, 300)) }
      }
      #expect(try NumberReader.read(made.video).map(\.number) == (first..<150).map { $0 })
    }

    @Test(arguments: [Ratio(120), Ratio(144), Ratio(240)], [0, 60])
    func `a fast source begins with the frame at the start`(
      rate: Ratio, first: Int64
    ) async throws {
      let folder = try TemporaryDirectory()
      let clip = NumberedClip(
        .constant(rate, seconds: 4), size: PixelSize(width: 160, height: 96),
        format: ClipFormat(.mp4))
      let made = try await Prepared.make(try clip.write(in: folder), in: folder) {
        if first > 0 { $0.start = MediaTime(seconds: (Ratio(first) + Ratio(1, 2)) / rate) }
      }
      let numbers = try NumberReader.read(made.video).compactMap(\.number)
      #expect(numbers.first == Int(first))
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }

    /// A screen that stands still across the seam, and frames at uneven times around it.
    @Test func `parts of a video of variable rate go on where the one before has ended`()
      async throws
    {
      let folder = try TemporaryDirectory()
      let times =
        (0..<1_250).map { Int64($0) * 40 } + [50_011] + (0..<800).map { 70_020 + Int64($0) * 40 }
      let clip = NumberedClip(
        .variable(milliseconds: times), size: PixelSize(width: 64, height: 32),
        format: ClipFormat(.mkv))
      var request = Request(
        input: FilePath(try clip.write(in: folder).path),
        outputDirectory: FilePath(folder.url.path),
        slug: "held", effort: .fast)
      request.split = true
      var numbers: [Int?] = []
      for part in try await ReelsPrep().parts(of: request) {
        let payload = try await ReelsPrep().prepare(part)
        let video = URL(filePath: payload.path.string).appending(path: "video.mp4")
        #expect(payload.manifest.video?.frameRate == Ratio(25))
        numbers += try NumberReader.read(video).map(\.number)
      }
      // At place k the last frame whose time rounds to k or less.
      let expected = (0..<numbers.count).map { place in
        (times.lastIndex { ($0 * 25 + 500) / 1_000 <= Int64(place) }) ?? 0
      }
      #expect(numbers == expected)
      // All but what is shorter than half an output frame at the end.
      #expect((numbers.last.flatMap { $0 } ?? 0) >= times.count - 2)
    }

    @Test func `parts of a longer video meet frame by frame`() async throws {
      let folder = try TemporaryDirectory()
      // 61 s and a half: the rest is too short alone. 29.97 in whole milliseconds.
      let clip = NumberedClip(
        .constant(Ratio(30000, 1001), frames: 1_843), size: PixelSize(width: 64, height: 32),
        format: ClipFormat(.mkv), hasTone: true)
      var request = Request(
        input: FilePath(try clip.write(in: folder).path),
        outputDirectory: FilePath(folder.url.path),
        slug: "part", effort: .fast)
      request.split = true
      let parts = try await ReelsPrep().parts(of: request)
      #expect(parts.map(\.slug) == ["part-1", "part-2"])
      var numbers: [Int?] = []
      for part in parts {
        let payload = try await ReelsPrep().prepare(part)
        let video = URL(filePath: payload.path.string).appending(path: "video.mp4")
        #expect(try #require(payload.manifest.video).durationSeconds >= MediaTime(seconds: 3))
        #expect(payload.manifest.part == part.part)
        numbers += try NumberReader.read(video).map(\.number)
      }
      #expect(numbers == (0..<1_843).map { $0 })
    }
  }
}
