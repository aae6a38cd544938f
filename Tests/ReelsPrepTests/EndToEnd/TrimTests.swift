import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Numbered frames, cut at random times: the right frame first, and none missing or repeated.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct TrimTests {
    static let rates = [Ratio(24), Ratio(30000, 1001), Ratio(30), Ratio(60)]
    static let seconds: Int64 = 8

    @Test("Ten random cuts are exact to the frame", arguments: ClipFormat.Container.allCases, rates)
    func randomCuts(container: ClipFormat.Container, rate: Ratio) async throws {
      let folder = try TemporaryDirectory()
      let codec: ClipFormat.VideoCodec? = container == .webm ? .vp8 : nil
      // A key frame every 1.7 s, so that cuts fall anywhere in a GOP.
      let gop = Int((rate * Ratio(17, 10)).rounded)
      let clip = NumberedClip(
        .constant(rate, seconds: Self.seconds),
        format: ClipFormat(container, videoCodec: codec, gopFrames: gop), hasTone: true)
      let file = try clip.write(in: folder)
      var generator = SeededGenerator(
        state: UInt64(rate.num) &+ UInt64(container.rawValue.utf8.count))
      for cut in 0..<10 {
        // Anywhere between two frames; containers round frame times to as much as a millisecond.
        let frame = Int.random(
          in: 0..<(clip.clock.count - Int((rate * Ratio(3)).ceiling)), using: &generator)
        let part = Ratio(Int64.random(in: 100...900, using: &generator), 1000)
        let start = MediaTime(seconds: (Ratio(Int64(frame)) + part) / rate)
        let made = try await Prepared.make(file, in: folder, slug: "cut\(cut)", isChecked: cut == 0)
        {
          $0.start = start
          $0.duration = MediaTime(seconds: 3)
        }
        var count = Int((rate * Ratio(3)).floor)
        if Ratio(Int64(count)) / rate < Ratio(3) { count += 1 }
        let numbers = try NumberReader.read(made.video).map(\.number)
        #expect(numbers == (frame..<(frame + count)).map { $0 }, "cut at \(start) of \(container)")
        #expect(made.manifest.video?.frames == count)
        #expect(made.manifest.window?.requestedStart == start)
        // Where the frame that is on show begins.
        let begins = MediaTime(seconds: Ratio(Int64(frame)) / rate)
        #expect(try abs((#require(made.manifest.window).start - begins).doubleValue) <= 0.001)
      }
    }

    @Test("A cut exactly at a frame's time begins with that frame", arguments: rates)
    func exactTime(rate: Ratio) async throws {
      let folder = try TemporaryDirectory()
      let file = try NumberedClip(.constant(rate, seconds: 6)).write(in: folder)
      let made = try await Prepared.make(file, in: folder) {
        $0.start = MediaTime(seconds: Ratio(37) / rate)
      }
      #expect(try NumberReader.read(made.video).first?.number == 37)
    }

    @Test("Without a window the whole clip is taken, every frame once", arguments: rates)
    func whole(rate: Ratio) async throws {
      let folder = try TemporaryDirectory()
      let clip = NumberedClip(.constant(rate, frames: 200))
      let made = try await Prepared.make(try clip.write(in: folder), in: folder)
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<200).map { $0 })
    }

    @Test("Sixty seconds of a longer clip end by 60.000 s", arguments: rates)
    func sixtySeconds(rate: Ratio) async throws {
      let folder = try TemporaryDirectory()
      let clip = NumberedClip(
        .constant(rate, seconds: 64), size: PixelSize(width: 64, height: 32), hasTone: true)
      let made = try await Prepared.make(try clip.write(in: folder), in: folder)
      #expect(made.manifest.video?.frames == Int((rate * Ratio(60)).floor))
      #expect(try #require(made.manifest.video).durationSeconds <= MediaTime(seconds: 60))
      #expect(try IndependentCheck.problems(in: made.video) == [])
    }
  }
}
