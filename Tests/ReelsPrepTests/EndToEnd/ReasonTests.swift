import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// The reason that a step gives is true of the file.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct ReasonTests {
    /// B frames are announced, none is there, and the times of showing are those of decoding.
    @Test func `a source without a gap is not said to have one`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(extra: ["-movflags", "+cmaf+global_sidx"], in: folder)
      let made = try await Prepared.make(file, in: folder)
      let reasons = CopyClip.steps(made.manifest, .video).map(\.because)
      #expect(!reasons.contains { $0.contains("gaps") }, "\(reasons)")
    }

    /// A bare stream of constant rate: nothing is missing, only times are.
    @Test func `a bare stream has no gaps`() async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.remux(
        try CopyClip.make(tone: false, in: folder), to: "bare.h264", ["-c", "copy"], in: folder)
      let made = try await Prepared.make(file, in: folder)
      let reasons = CopyClip.steps(made.manifest, .video).map(\.because)
      #expect(!reasons.contains { $0.contains("gaps") }, "\(reasons)")
    }

    @Test func `the warning names the track that is left out`() async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        "odd.mkv", sounds: ["sine=f=400:r=48000", "sine=f=900:r=48000"],
        SourceClip.copyable + ["-c:a:0", "libmp3lame"], in: folder)
      try PacketPatch.rename("A_MPEG/L3", to: "A_XYZQ/L3", in: file)
      let made = try await Prepared.make(file, in: folder)
      let warning = made.manifest.warnings.first { $0.code == "audio-undecodable" }
      #expect(warning?.sentence.contains("audio track 1") == true, "\(warning?.sentence ?? "")")
    }
  }
}
