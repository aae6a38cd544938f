import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// `--pick best` on whole clips.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct PickTests {
    /// Black for 15 s, a still for 15 s, then a moving picture for 20 s and the still again for 15 s.
    private func clip(
      _ codec: [String], sound: String, name: String, in folder: TemporaryDirectory
    ) throws -> URL {
      let file = folder.file(name)
      func part(_ source: String, _ seconds: Int, _ label: String) -> String {
        "\(source):s=160x96:r=25:d=\(seconds),format=yuv420p,setsar=1[\(label)]"
      }
      let graph = [
        part("color=black", 15, "a"), part("color=0x606060", 15, "b"),
        part("testsrc2=alpha=255", 20, "c"),
        part("color=0x606060", 15, "d"), "[a][b][c][d]concat=n=4[v]",
      ].joined(separator: ";")
      try Tool.ffmpeg.run(
        [
          "-v", "error", "-f", "lavfi", "-i", sound, "-filter_complex", graph, "-map", "[v]",
          "-map", "0:a",
        ]
          + codec + ["-g", "50", "-c:a", "pcm_s16le", "-t", "65", file.path])
      return file
    }

    @Test(arguments: [
      ("moving.mkv", ["-c:v", "libx264", "-preset", "ultrafast"]),
      ("all-intra.mov", ["-c:v", "mjpeg", "-q:v", "3"]),
      ("vp9.mkv", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]),
    ]) func `the part that moves is taken, and that is explained`(
      name: String, codec: [String]
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(codec, sound: "anullsrc=r=8000:cl=mono", name: name, in: folder)
      let made = try await Prepared.make(file, in: folder) {
        ($0.pick, $0.duration) = (.best, MediaTime(seconds: 15))
      }
      let pick = try #require(made.manifest.pick)
      #expect((29...36).contains(pick.start.doubleValue), "\(pick)")
      #expect(pick.motion > 1.5 && pick.blackSeconds == 0)
      #expect(pick.because.contains("15 s from"))
      #expect(try abs((#require(made.manifest.window).start - pick.start).doubleValue) < 0.05)
    }

    @Test func `where nothing moves, what is heard decides`() async throws {
      let folder = try TemporaryDirectory()
      let file = folder.file("heard.mkv")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "color=0x606060:s=160x96:r=25:d=60", "-f", "lavfi",
        "-i",
        "aevalsrc=exprs='0.5*sin(2*PI*400*t)*between(t\\,40\\,55)':s=8000:d=60", "-c:v", "libx264",
        "-preset", "ultrafast", "-c:a", "pcm_s16le", file.path,
      ])
      let made = try await Prepared.make(file, in: folder) {
        ($0.pick, $0.duration) = (.best, MediaTime(seconds: 15))
      }
      let pick = try #require(made.manifest.pick)
      #expect((39...41).contains(pick.start.doubleValue), "\(pick)")
    }

    @Test func `a clip that is short enough is taken whole`() async throws {
      let folder = try TemporaryDirectory()
      let file = try NumberedClip(.constant(Ratio(30), seconds: 5)).write(in: folder)
      let made = try await Prepared.make(file, in: folder) { $0.pick = .best }
      #expect(made.manifest.pick == nil)
      #expect(made.manifest.video?.frames == 150)
      // The last second is a fraction: it must not make the rest too short.
      let odd = try NumberedClip(.constant(Ratio(30), frames: 97)).write(in: folder, stem: "odd")
      let part = try await Prepared.make(odd, in: folder, slug: "odd") {
        ($0.pick, $0.duration) = (.best, MediaTime(seconds: 3))
      }
      #expect(part.manifest.video?.frames == 90)
    }
  }
}
