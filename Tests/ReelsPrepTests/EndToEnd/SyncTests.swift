import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Click and flash: sound and picture stay together, at the start, the middle and the end.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct SyncTests {
    /// contract.md: at most 1 ms where the source's rate is kept.
    static let kept = 1.0

    @Test(
      "Click and flash stay within 1 ms over 60 s", arguments: ClipFormat.Container.allCases,
      TrimTests.rates)
    func minute(container: ClipFormat.Container, rate: Ratio) async throws {
      let folder = try TemporaryDirectory()
      let clip = ClickFlashClip(
        .constant(rate, seconds: 62), events: [0.5, 5, 30, 45, 55, 59.2],
        format: ClipFormat(container, videoCodec: container == .webm ? .vp8 : nil))
      let file = try clip.write(in: folder)
      let input = try SyncMeter(file)
      let made = try await Prepared.make(file, in: folder)
      for editLists in EditLists.allCases {
        let meter = try SyncMeter(made.video, editLists: editLists)
        #expect(meter.events.count == 6)
        // What the container itself rounds away (1 ms in Matroska) is not ours.
        let allowed = Self.kept + abs(input.worst)
        #expect(abs(meter.worst) <= allowed, "\(meter.events) from \(input.events)")
      }
    }

    @Test("A cut in the middle keeps sync", arguments: ClipFormat.Container.allCases)
    func cut(container: ClipFormat.Container) async throws {
      let folder = try TemporaryDirectory()
      let clip = ClickFlashClip(
        .constant(Ratio(30000, 1001), seconds: 12), events: [4.5, 6, 7.5],
        format: ClipFormat(container, videoCodec: container == .webm ? .vp8 : nil, gopFrames: 50))
      let file = try clip.write(in: folder)
      let input = try SyncMeter(file)
      let made = try await Prepared.make(file, in: folder) {
        $0.start = MediaTime(parsing: "3.777")
        $0.duration = MediaTime(seconds: 5)
      }
      for editLists in EditLists.allCases {
        let meter = try SyncMeter(made.video, editLists: editLists)
        #expect(meter.events.count == 3)
        #expect(abs(meter.worst) <= Self.kept + abs(input.worst), "\(meter.events)")
      }
    }

    @Test(
      "Sound that starts late or early, or ends early, keeps its place", arguments: [0.7, -0.4])
    func offset(audioStart: Double) async throws {
      let folder = try TemporaryDirectory()
      let clip = ClickFlashClip(
        .constant(Ratio(30), seconds: 6), events: [1.5, 3, 4.5], audioStart: audioStart)
      let made = try await Prepared.make(try clip.write(in: folder), in: folder)
      #expect(abs(try SyncMeter(made.video).worst) <= Self.kept)
      #expect(try IndependentCheck.problems(in: made.video) == [])
    }

    @Test("A changed rate is off by half an output frame at most, without drift")
    func changedRate() async throws {
      let folder = try TemporaryDirectory()
      let clip = ClickFlashClip(
        .constant(Ratio(25), seconds: 61), events: (1...29).map { Double($0) * 2 }, flashFrames: 3)
      let made = try await Prepared.make(try clip.write(in: folder), in: folder) {
        $0.frameRate = Ratio(30)
      }
      let meter = try SyncMeter(made.video)
      let halfAFrame = 1000.0 / 60
      #expect(abs(meter.worst) <= halfAFrame + 1)
      #expect(abs(meter.drift) <= 5)
    }

    @Test("Frames of uneven length are shown at their times")
    func variableRate() async throws {
      let folder = try TemporaryDirectory()
      var times: [Int64] = [0]
      var generator = SeededGenerator(state: 7)
      while let last = times.last, last < 20_000 {
        times.append(last + Int64.random(in: 20...90, using: &generator))
      }
      let clip = ClickFlashClip(
        .variable(milliseconds: times), events: [1, 5, 10, 15, 19], flashFrames: 4)
      let made = try await Prepared.make(try clip.write(in: folder), in: folder)
      let rate = try #require(made.manifest.video).frameRate.doubleValue
      let halfAFrame = 500 / rate
      #expect(abs(try SyncMeter(made.video).worst) <= halfAFrame + 1)
    }

    @Test(
      "44.1 kHz stays, 8 kHz and 96 kHz become 48 kHz, in sync", arguments: [8_000, 44_100, 96_000])
    func sampleRates(rate: Int) async throws {
      let folder = try TemporaryDirectory()
      let clip = ClickFlashClip(
        .constant(Ratio(30), seconds: 6), events: [1.5, 3, 4.5],
        format: ClipFormat(.mov, audioCodec: .pcm), sampleRate: rate, channels: 1)
      let made = try await Prepared.make(try clip.write(in: folder), in: folder)
      #expect(made.manifest.video?.sampleRate == (rate == 44_100 ? 44_100 : 48_000))
      #expect(made.manifest.video?.channels == 1)
      #expect(abs(try SyncMeter(made.video).worst) <= Self.kept)
    }
  }
}
