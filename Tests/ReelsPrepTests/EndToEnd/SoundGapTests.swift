import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Sound that is not there for all of the picture: silence takes its place, and nothing moves.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct SoundGapTests {
    /// The picture as it is, and sound with packets left out.
    ///
    /// - Parameter dropped: libavutil's expression of a packet's time `pts*tb`.
    private func clip(
      _ container: ClipFormat.Container, dropping dropped: String, in folder: TemporaryDirectory
    ) throws -> URL {
      let whole = try ClickFlashClip(
        .constant(Ratio(30), seconds: 6), events: [1, 2.5, 4, 5.5],
        format: ClipFormat(container, audioCodec: .aac, extra: CopyClip.tags)
      ).write(in: folder)
      return try SourceClip.remux(
        whole, to: "gap.\(container.rawValue)",
        ["-c", "copy", "-bsf:a", "noise=amount=0:drop='\(dropped)'"], in: folder)
    }

    private func expect(
      _ made: Prepared, clicks: [Double], mute: Double, from file: URL
    ) throws {
      #expect(made.manifest.video?.frames == 180)
      let (input, meter) = (try SyncMeter(file), try SyncMeter(made.video))
      #expect(meter.events.map { ($0.flash * 2).rounded() / 2 } == clicks)
      #expect(meter.loneFlashes.map { ($0 * 2).rounded() / 2 } == [mute])
      #expect(meter.loneClicks == [])
      // What the container itself rounds away is not ours.
      let rounded = input.milliseconds.map(abs).max() ?? 0
      #expect(
        meter.milliseconds.allSatisfy { abs($0) <= SyncTests.kept + rounded }, "\(meter.events)")
      let sound = try DecodedAudio(made.video)
      #expect(abs(Double(sound.samples.count) / Double(sound.rate) - 6) < 0.03)
      #expect(sound.level(mute - 0.2..<mute + 0.2) < 0.001)
    }

    static let containers: [ClipFormat.Container] = [.mp4, .mov, .mkv, .ts]

    @Test(arguments: containers) func `sound that ends early goes on as silence`(
      container: ClipFormat.Container
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(container, dropping: "gt((pts-startpts)*tb,4.6)", in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.isCopy(.video) && !made.isCopy(.audio))
      try expect(made, clicks: [1, 2.5, 4], mute: 5.5, from: file)
    }

    /// Decoded without a look at the clock, what follows the hole would come 1.5 s early.
    @Test(arguments: containers)
    func `a hole in the sound is silent, and what follows is in its place`(
      container: ClipFormat.Container
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(container, dropping: "between((pts-startpts)*tb,1.8,3.3)", in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.isCopy(.video) && !made.isCopy(.audio))
      try expect(made, clicks: [1, 4, 5.5], mute: 2.5, from: file)
    }
  }
}
