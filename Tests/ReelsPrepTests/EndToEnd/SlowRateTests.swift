import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Sources of fewer than 23 frames a second: each frame is held for a whole number of the
  /// output's.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct SlowRateTests {
    @Test(arguments: [
      (Ratio(10), "slow.mp4", 3), (Ratio(1), "slow.mp4", 23), (Ratio(10), "slow.gif", 3),
      (Ratio(1), "slow.gif", 23), (Ratio(15), "slow.webm", 2), (Ratio(30000, 2002), "slow.mov", 2),
      (Ratio(8), "slow.avi", 3),
    ]) func `every frame is held equally long`(
      rate: Ratio, name: String, times: Int
    ) async throws {
      let folder = try TemporaryDirectory()
      let clip = NumberedClip(
        .constant(rate, seconds: 5), size: PixelSize(width: 128, height: 64),
        format: ClipFormat(.mkv, bFrames: 0, crf: 4))
      let count = clip.clock.count
      let file = try SourceClip.remux(try clip.write(in: folder), to: name, [], in: folder)
      let made = try await Prepared.make(file, in: folder)
      let isExact = !["slow.webm", "slow.gif"].contains(name) || rate.den == 1
      #expect(!isExact || made.manifest.video?.frameRate == rate * Ratio(Int64(times)))
      let numbers = try NumberReader.read(made.video).map(\.number)
      #expect(numbers == (0..<count * times).map { $0 / times })
    }

    /// On show at 2.55 s is the frame of 2 s, and all of it: the window begins where it does.
    @Test func `a start inside of a long frame begins with it`() async throws {
      let folder = try TemporaryDirectory()
      let clip = NumberedClip(.constant(Ratio(1), seconds: 7))
      let made = try await Prepared.make(try clip.write(in: folder), in: folder) {
        $0.start = MediaTime(parsing: "2.55")
      }
      #expect(made.manifest.window?.start == MediaTime(seconds: 2))
      let numbers = try NumberReader.read(made.video).map(\.number)
      #expect(numbers == (0..<5 * 23).map { 2 + $0 / 23 })
    }
  }
}
