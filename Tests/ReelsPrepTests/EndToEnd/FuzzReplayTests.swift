import Foundation
import TestSupport
import Testing

extension EndToEnd {
  /// Damaged files of `scripts/fuzz`'s making, the same in every run.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct FuzzReplayTests {
    static let originals: [(name: String, arguments: [String])] = [
      ("plain.mp4", ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"]),
      (
        "fragments.mp4",
        [
          "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-movflags",
          "frag_keyframe+empty_moov",
        ]
      ),
      ("matroska.mkv", ["-c:v", "mpeg4", "-c:a", "pcm_s16le"]),
      ("transport.ts", ["-c:v", "mpeg2video", "-c:a", "mp2"]),
      ("motion.avi", ["-c:v", "mjpeg", "-c:a", "pcm_s16le"]),
    ]

    @Test(arguments: originals.indices) func `no damage crashes, hangs or leaves anything behind`(
      index: Int
    ) throws {
      let original = Self.originals[index]
      let folder = try TemporaryDirectory()
      let file = folder.file(original.name)
      try Tool.ffmpeg.run(
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=2", "-f", "lavfi", "-i",
          "sine=d=2", "-pix_fmt", original.name.hasSuffix("avi") ? "yuvj420p" : "yuv420p",
        ] + original.arguments + [file.path])
      let bytes = [UInt8](try Data(contentsOf: file))
      let trial = try FuzzTrial(program: Tool.built("reels-prep"))
      for seed in 0..<8 {
        let damaged = Mutation(seed: UInt64(seed)).apply(to: bytes)
        #expect(damaged != bytes)
        #expect(try trial.run(damaged, seed: UInt64(seed)) == [], "\(original.name), seed \(seed)")
      }
    }

    @Test func `damage is the same for the same seed`() {
      let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
      for seed in 0..<20 as Range<UInt64> {
        #expect(Mutation(seed: seed).apply(to: bytes) == Mutation(seed: seed).apply(to: bytes))
      }
      #expect(Set((0..<20 as Range<UInt64>).map { Mutation(seed: $0).apply(to: bytes) }).count > 15)
    }
  }
}
