import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Sound of every kind that phones, discs and broadcasts have is heard in the payload.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct SoundKindTests {
    private func picture(in folder: TemporaryDirectory) throws -> URL {
      try CopyClip.make(tone: false, in: folder)
    }

    /// There is no encoder of AMR: frames of 12.2 kbit/s with arbitrary bits, which decode to
    /// noise.
    @Test func `8 kHz of AMR is decoded`() async throws {
      let folder = try TemporaryDirectory()
      var generator = SeededGenerator(state: 3)
      var bytes = Array("#!AMR\n".utf8)
      for _ in 0..<300 {
        bytes += [0x3c] + (0..<31).map { _ in UInt8.random(in: 0...255, using: &generator) }
      }
      let sound = folder.file("noise.amr")
      try Data(bytes).write(to: sound)
      let file = try SourceClip.remux(
        try picture(in: folder), to: "phone.3gp", inputs: ["-i", sound.path],
        ["-map", "0:v", "-map", "1:a", "-c", "copy"], in: folder)
      #expect(try Probe(file).audio?.codecName == "amr_nb")
      let made = try await Prepared.make(file, in: folder)
      #expect(made.isCopy(.video))
      #expect(made.manifest.source.audioCodec == "amr_nb")
      #expect((made.manifest.video?.sampleRate, made.manifest.video?.channels) == (48_000, 1))
      #expect(try DecodedAudio(made.video).level(1..<5) > 0.02)
    }

    /// All that is heard is in the centre: a stereo without it would be silent.
    @Test(arguments: [("dca", "disc.mkv"), ("ac3", "disc.mp4"), ("flac", "disc.mkv")])
    func `the centre of 5_1 is in both channels`(codec: String, name: String) async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        name, sounds: ["sine=f=440:r=48000,volume=6dB,pan=5.1|c2=c0"],
        SourceClip.copyable + ["-c:a", codec, "-strict", "-2"], in: folder)
      #expect(try Probe(file).audio?.channels == 6)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.manifest.video?.channels == 2)
      let sound = try DecodedAudio(made.video)
      // Of 0.25 at its peak a share of 0.4 at least, as a root mean square.
      #expect(sound.level(1..<3) > 0.05)
      #expect(abs(sound.pitch(1..<3) - 440) < 3)
      for channel in 0..<2 {
        let one = folder.file("channel\(channel).wav")
        try Tool.ffmpeg.run([
          "-v", "error", "-i", made.video.path, "-af", "pan=mono|c0=c\(channel)", one.path,
        ])
        #expect(try DecodedAudio(one).level(1..<3) > 0.05)
      }
    }

    @Test func `LATM in a transport stream stays in its place`() async throws {
      let folder = try TemporaryDirectory()
      let file = try ClickFlashClip(
        .constant(Ratio(30), seconds: 6), events: [1, 3, 5],
        format: ClipFormat(.ts, extra: CopyClip.tags + ["-mpegts_flags", "latm"])
      ).write(in: folder)
      let input = try SyncMeter(file)
      #expect(try Probe(file).audio?.codecName == "aac_latm")
      let made = try await Prepared.make(file, in: folder)
      #expect(!made.isCopy(.audio))
      let meter = try SyncMeter(made.video)
      #expect(meter.events.count == 3)
      #expect(abs(meter.worst) <= SyncTests.kept + abs(input.worst), "\(meter.events)")
    }

    /// Twenty-two channels without an order: the first pair is heard.
    @Test(arguments: ["many.mov", "many.mkv"]) func `22 channels are no obstacle`(
      name: String
    ) async throws {
      let folder = try TemporaryDirectory()
      var samples = [Int16](repeating: 0, count: 22 * 48_000 * 6)
      for index in 0..<48_000 * 6 {
        samples[22 * index] = Int16(12_000 * sin(2 * .pi * 440 * Double(index) / 48_000))
      }
      let raw = folder.file("raw.pcm")
      try samples.withUnsafeBytes { try Data($0).write(to: raw) }
      let file = try SourceClip.remux(
        try picture(in: folder), to: name,
        inputs: ["-f", "s16le", "-ar", "48000", "-ac", "22", "-i", raw.path],
        ["-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "pcm_s16le"], in: folder)
      #expect(try Probe(file).audio?.channels == 22)
      let made = try await Prepared.make(file, in: folder)
      let sound = try DecodedAudio(made.video)
      #expect(sound.level(1..<5) > 0.05)
      #expect(abs(sound.pitch(1..<5) - 440) < 3)
    }
  }
}
