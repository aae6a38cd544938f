import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Frames of uneven length: a cut begins with the one on show, and a held one is held.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct HeldFrameTests {
    /// 25 a second, but for the frame at 2 s, which is on show until 5 s.
    private static let held =
      (0...50).map { Int64($0) * 40 } + (0..<125).map { 5_000 + Int64($0) * 40 }

    @Test(arguments: [ClipFormat.Container.mp4, .mkv], ["2.0", "3.5", "4.999"])
    func `a start inside of a held frame begins with all of it`(
      container: ClipFormat.Container, start: String
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try NumberedClip(
        .variable(milliseconds: Self.held), size: PixelSize(width: 160, height: 96),
        format: ClipFormat(container)
      ).write(in: folder)
      let made = try await Prepared.make(file, in: folder) {
        ($0.start, $0.duration) = (MediaTime(parsing: start), MediaTime(seconds: 6))
      }
      #expect(made.manifest.window?.requestedStart == MediaTime(parsing: start))
      #expect(
        try abs((#require(made.manifest.window).start - MediaTime(seconds: 2)).doubleValue) <= 0.001
      )
      #expect(made.manifest.video?.frameRate == Ratio(25))
      let numbers = try NumberReader.read(made.video).map(\.number)
      #expect(numbers == [Int](repeating: 50, count: 75) + (51..<126).map { $0 })
    }

    /// The sound is cut where the frame on show begins: three seconds of it before the next frame.
    @Test func `sound is cut with a held frame`() async throws {
      let folder = try TemporaryDirectory()
      let clip = ClickFlashClip(
        .variable(milliseconds: Self.held), events: [1, 5, 6, 8], format: ClipFormat(.mkv))
      let made = try await Prepared.make(try clip.write(in: folder), in: folder) {
        ($0.start, $0.duration) = (MediaTime(parsing: "3.3"), MediaTime(seconds: 7))
      }
      let meter = try SyncMeter(made.video)
      #expect(meter.events.map { ($0.flash * 100).rounded() } == [300, 400, 600])
      #expect(abs(meter.worst) <= SyncTests.kept + 1, "\(meter.events)")
    }

    @Test(arguments: 0..<4) func `cuts of a variable rate show what is on show`(
      seed: Int
    ) async throws {
      let folder = try TemporaryDirectory()
      var generator = SeededGenerator(state: UInt64(seed) + 11)
      var times: [Int64] = [0]
      while let last = times.last, last < 8_000 {
        times.append(last + Int64.random(in: 18...60, using: &generator))
      }
      let clip = NumberedClip(
        .variable(milliseconds: times), size: PixelSize(width: 160, height: 96),
        format: ClipFormat(.mkv))
      let cut = Int.random(in: 10..<80, using: &generator)
      // Anywhere inside of that frame.
      let inside = Int64.random(in: 2..<(times[cut + 1] - times[cut]), using: &generator)
      let made = try await Prepared.make(try clip.write(in: folder), in: folder) {
        $0.start = MediaTime(ticks: times[cut] + inside, timeBase: Ratio(1, 1_000))
        $0.duration = MediaTime(seconds: 3)
      }
      #expect(
        made.manifest.window?.start == MediaTime(ticks: times[cut], timeBase: Ratio(1, 1_000)))
      let numbers = try NumberReader.read(made.video).map(\.number)
      #expect(numbers.first == .some(cut))
      // At place k the last frame whose time, counted from the cut, is nearest to k or less.
      let rate = try #require(made.manifest.video).frameRate
      let places = times[cut...].map {
        (MediaTime(ticks: $0 - times[cut], timeBase: Ratio(1, 1_000)).seconds * rate).rounded
      }
      let expected = numbers.indices.map { place in
        // The frame on show at the start, even where the next one is nearer to it.
        cut + (place == 0 ? 0 : places.lastIndex { $0 <= Int64(place) } ?? 0)
      }
      #expect(numbers == expected, "at \(rate)")
    }
  }
}
