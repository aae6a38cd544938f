import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Of several tracks of sound one is taken, and which is said.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct TrackChoiceTests {
    /// Silence, 400 and 900 Hz.
    private func clip(_ arguments: [String] = [], in folder: TemporaryDirectory) throws -> URL {
      try SourceClip.make(
        "tracks.mkv",
        sounds: ["anullsrc=r=48000", "sine=f=400:r=48000", "sine=f=900:r=48000"],
        SourceClip.copyable + arguments, in: folder)
    }

    private func expect(_ made: Prepared, hertz: Double, track: Int) throws {
      let sound = try DecodedAudio(made.video)
      #expect(abs(sound.pitch(1..<3) - hertz) < 3)
      let warning = made.manifest.warnings.first { $0.code == "audio-tracks" }
      #expect(warning?.sentence.contains("of 3 audio tracks: track \(track);") == true)
      #expect(made.manifest.source.audioTracks == 3)
    }

    @Test(arguments: [(AudioChoice.auto, 400.0, 2), (.track(3), 900, 3), (.track(2), 400, 2)])
    func `the track that is used is named`(
      choice: AudioChoice, hertz: Double, track: Int
    ) async throws {
      let folder = try TemporaryDirectory()
      let made = try await Prepared.make(try clip(in: folder), in: folder) { $0.audio = choice }
      try expect(made, hertz: hertz, track: track)
      #expect(made.isCopy(.video) && made.isCopy(.audio))
    }

    @Test func `the default track comes first`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(
        ["-disposition:a:0", "0", "-disposition:a:1", "0", "-disposition:a:2", "default"],
        in: folder)
      try expect(try await Prepared.make(file, in: folder), hertz: 900, track: 3)
    }

    /// The second is silent where it is looked at, and the window is all that counts.
    @Test func `a track that is silent in the window does not win`() async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        "late.mkv",
        sounds: ["sine=f=400:r=48000,volume=0:enable='gt(t,3.5)'", "sine=f=900:r=48000"],
        seconds: 8, SourceClip.copyable, in: folder)
      let made = try await Prepared.make(file, in: folder) { $0.start = MediaTime(seconds: 4) }
      #expect(abs(try DecodedAudio(made.video).pitch(1..<3) - 900) < 3)
      let whole = try await Prepared.make(file, in: folder, slug: "whole")
      #expect(abs(try DecodedAudio(whole.video).pitch(1..<3) - 400) < 3)
    }

    @Test func `a track that nothing decodes is said, and the other is used`() async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        "odd.mkv", sounds: ["sine=f=400:r=48000", "sine=f=900:r=48000"],
        SourceClip.copyable + ["-c:a:0", "libmp3lame"], in: folder)
      #expect(try PacketPatch.rename("A_MPEG/L3", to: "A_XYZQ/L3", in: file) == 1)
      let made = try await Prepared.make(file, in: folder)
      #expect(abs(try DecodedAudio(made.video).pitch(1..<3) - 900) < 3)
      #expect(SourceClip.codes(made).sorted() == ["audio-tracks", "audio-undecodable"])
      let error = await #expect(throws: PrepError.self) {
        try await Prepared.make(file, in: folder, slug: "first") { $0.audio = .track(1) }
      }
      #expect(error?.code == .undecodable)
      #expect(error?.sentence.contains("--audio 1 of odd.mkv is") == true)
    }
  }
}
