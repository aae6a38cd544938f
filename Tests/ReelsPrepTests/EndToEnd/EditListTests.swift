import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Edit lists of several parts, as editors write them that cut without encoding.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct EditListTests {
    /// Eight seconds, of which 1 to 3.5 and 5.2333 to 8 are shown.
    private func clip(
      _ container: ClipFormat.Container, _ codec: ClipFormat.AudioCodec, parts: [(Int, Int)],
      in folder: TemporaryDirectory
    ) throws -> URL {
      let file = try ClickFlashClip(
        .constant(Ratio(30), seconds: 8), events: [1.5, 2.5, 4.5, 6, 7],
        format: ClipFormat(container, audioCodec: codec, gopFrames: 30, bFrames: 0)
      ).write(in: folder)
      let tracks = try BoxOracle(file).tracks
      for track in tracks {
        let priming = codec == .aac && track.handler == "soun" ? 1_024 : 0
        let edits = parts.map { frames in
          BoxPatch.Edit(
            milliseconds: frames.1 * 1_000 / 30,
            media: frames.0 * Int(track.timescale) / 30 + priming)
        }
        try BoxPatch.setEdits(edits, of: track.handler, in: file)
      }
      return file
    }

    @Test(arguments: [
      (ClipFormat.Container.mov, ClipFormat.AudioCodec.pcm), (.mp4, .aac), (.mov, .aac),
    ])
    func `sound stays with the picture through several parts`(
      container: ClipFormat.Container, codec: ClipFormat.AudioCodec
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(container, codec, parts: [(30, 75), (157, 83)], in: folder)
      let made = try await Prepared.make(file, in: folder)
      let meter = try SyncMeter(made.video)
      #expect(abs(meter.worst) <= SyncTests.kept, "\(meter.events) \(meter.loneClicks)")
      let flashes = meter.events.map { Int(($0.flash * 30).rounded()) }
      #expect(flashes == [15, 45, 75 + 23, 75 + 53])
      // Whole packets cannot be cut there.
      let rule = CopyClip.steps(made.manifest, .audio).first?.rule
      #expect(rule == (codec == .aac ? .noEditList : .audioCodec))
    }

    /// The second part is of what came before the first.
    @Test func `parts may go back`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(.mov, .pcm, parts: [(157, 83), (30, 75)], in: folder)
      let made = try await Prepared.make(file, in: folder) {
        $0.start = MediaTime(seconds: Ratio(20, 30))
        $0.duration = MediaTime(seconds: 4)
      }
      let meter = try SyncMeter(made.video)
      #expect(abs(meter.worst) <= SyncTests.kept, "\(meter.events) \(meter.loneClicks)")
      #expect(meter.events.map { Int(($0.flash * 30).rounded()) } == [3, 33, 63 + 15, 63 + 45])
    }
  }
}
