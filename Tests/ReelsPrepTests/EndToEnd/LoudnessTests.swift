import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// `--loudness` and `--audio mix`, by a meter that is not ours.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct LoudnessTests {
    /// A clip with these tracks of sound, as libavfilter's sources.
    private func clip(
      _ sounds: [String], in folder: TemporaryDirectory, seconds: Int = 5
    ) throws -> URL {
      let file = folder.file("clip.mkv")
      let inputs = sounds.flatMap { ["-f", "lavfi", "-i", "\($0):d=\(seconds)"] }
      let maps = sounds.indices.flatMap { ["-map", "\($0 + 1):a"] }
      try Tool.ffmpeg.run(
        ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=\(seconds)"] + inputs
          + ["-map", "0:v"] + maps
          + ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "pcm_f32le", file.path])
      return file
    }

    private static let quiet = "anoisesrc=c=pink:a=0.02:r=48000:seed=7"
    private static let loud = "anoisesrc=c=pink:a=0.9:r=48000:seed=7"

    @Test(arguments: [quiet, loud, "sine=f=440:r=44100"], [-16.0, -23])
    func `the sound is as loud as was asked for`(sound: String, target: Double) async throws {
      let folder = try TemporaryDirectory()
      let made = try await Prepared.make(try clip([sound], in: folder), in: folder) {
        $0.loudness = target
      }
      let found = try LoudnessOracle(made.video)
      #expect(abs(found.integrated - target) < 0.5, "\(found)")
      #expect(found.truePeak <= -1)
      #expect(made.manifest.loudness?.target == target)
      #expect(abs((made.manifest.loudness?.result ?? 0) - found.integrated) < 0.5)
    }

    @Test func `peaks keep a sound quieter than asked, and that is said`() async throws {
      let folder = try TemporaryDirectory()
      // Short bursts: far from loud, and near full scale.
      let bursts = "aevalsrc=exprs='0.8*sin(2*PI*1000*t)*lt(mod(t\\,1)\\,0.02)':s=48000"
      let made = try await Prepared.make(try clip([bursts], in: folder), in: folder) {
        $0.loudness = -14
      }
      let found = try LoudnessOracle(made.video)
      #expect(found.truePeak <= -1 && found.truePeak > -2.5, "\(found)")
      #expect(found.integrated < -15, "\(found)")
      #expect(abs((made.manifest.loudness?.result ?? 0) - found.integrated) < 0.5)
      #expect(made.manifest.warnings.contains { $0.code == "loudness-limited" })
    }

    /// Clicks of a few samples: what an encoder makes of them overshoots.
    @Test(arguments: [-14.0, -6]) func `what the encoder adds to peaks is counted`(
      target: Double
    ) async throws {
      let folder = try TemporaryDirectory()
      let sounds = [
        "aevalsrc=exprs='0.1*sin(2*PI*220*t)+0.9*lt(mod(t\\,0.31)\\,0.0002)':s=48000",
        "aevalsrc=exprs='0.99*sgn(sin(2*PI*997*t))*(0.2+0.8*lt(mod(t\\,0.5)\\,0.1))':s=48000",
      ]
      for (index, sound) in sounds.enumerated() {
        let made = try await Prepared.make(
          try clip([sound], in: folder), in: folder, slug: "peaks\(index)"
        ) { $0.loudness = target }
        let found = try LoudnessOracle(made.video)
        #expect(found.truePeak <= -1, "\(found)")
        // As loud as the peaks allow, and no quieter than that.
        #expect(found.truePeak > -1.5 || abs(found.integrated - target) < 0.5, "\(found)")
        try FileManager.default.removeItem(at: folder.file("clip.mkv"))
      }
    }

    @Test func `silence stays silent`() async throws {
      let folder = try TemporaryDirectory()
      let made = try await Prepared.make(
        try clip(["anullsrc=r=48000"], in: folder), in: folder
      ) { $0.loudness = -14 }
      #expect(made.manifest.loudness == nil)
      #expect(try LoudnessOracle(made.video).integrated <= -70)
    }

    @Test func `a sound that nobody wants louder is left alone`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip([Self.quiet], in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.manifest.loudness == nil)
      let (before, after) = (try LoudnessOracle(file), try LoudnessOracle(made.video))
      #expect(abs(before.integrated - after.integrated) < 0.5)
    }

    /// Two tracks in full scale would clip in their sum.
    @Test func `mixed tracks are all heard, and do not clip`() async throws {
      let folder = try TemporaryDirectory()
      let tones = [
        "aevalsrc=exprs='0.9*sin(2*PI*400*t)':s=48000",
        "aevalsrc=exprs='0.9*sin(2*PI*3000*t)':s=48000",
      ]
      let made = try await Prepared.make(try clip(tones, in: folder), in: folder) {
        $0.audio = .mix
      }
      #expect(try LoudnessOracle(made.video).truePeak <= -1)
      #expect((made.manifest.loudness?.gain ?? 0) < -5)
      for (low, high) in [(300, 500), (2_800, 3_200)] {
        let band = folder.file("band-\(low).wav")
        try Tool.ffmpeg.run([
          "-v", "error", "-i", made.video.path, "-af",
          "highpass=f=\(low),highpass=f=\(low),lowpass=f=\(high),lowpass=f=\(high)", band.path,
        ])
        #expect(try LoudnessOracle(band).integrated > -25, "\(low)–\(high) Hz is missing")
      }
    }
  }
}
