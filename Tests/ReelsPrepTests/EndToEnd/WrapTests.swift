import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// The clock of a transport stream begins anew after 2^33 ticks; packets may lie in another order
  /// than their
  /// times.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct WrapTests {
    /// Seconds at which 33 bits of 90 kHz are full.
    private static let full = 95_443.718

    @Test(arguments: [0, 45, 75]) func `frames go on where the clock has run over`(
      first: Int
    ) async throws {
      let folder = try TemporaryDirectory()
      // Full after two of six seconds.
      let file = try CopyClip.make(
        .ts,
        extra: ["-b_strategy", "0", "-output_ts_offset", "\(Self.full - 2)", "-muxdelay", "0"],
        in: folder)
      let times = try Probe(file, packets: true).packets(of: try #require(try Probe(file).video))
        .compactMap(\.pts)
      try #require(times.contains { $0 < 0 } != times.allSatisfy { $0 < 0 })
      let made = try await Prepared.make(file, in: folder) {
        if first > 0 { $0.start = MediaTime(seconds: Ratio(Int64(first) * 10 + 5, 300)) }
      }
      #expect(try NumberReader.read(made.video).map(\.number) == (first..<180).map { $0 })
      #expect(!SourceClip.codes(made).contains("clock-restarts"))
      #expect(!SourceClip.codes(made).contains("frame-gaps"))
    }

    @Test func `sound stays with the picture on both sides of the wrap`() async throws {
      let folder = try TemporaryDirectory()
      let file = try ClickFlashClip(
        .constant(Ratio(30), seconds: 6), events: [1, 2.5, 4, 5.5],
        format: ClipFormat(
          .ts, extra: ["-output_ts_offset", "\(Self.full - 3)", "-muxdelay", "0"])
      ).write(in: folder)
      let made = try await Prepared.make(file, in: folder)
      let meter = try SyncMeter(made.video)
      #expect(meter.events.count == 4)
      // The stream's own time stamps are rounded to 11 microseconds.
      #expect(abs(meter.worst) <= SyncTests.kept, "\(meter.events)")
    }

    /// Two clusters of a Matroska file have changed places: every frame is shown at its time.
    @Test func `packets out of order are shown at their times`() async throws {
      let folder = try TemporaryDirectory()
      let whole = try CopyClip.make(bFrames: 0, in: folder)
      let file = try SourceClip.remux(
        whole, to: "mixed.mkv", ["-c", "copy", "-cluster_time_limit", "1000"], in: folder)
      var data = try Data(contentsOf: file)
      var starts: [Int] = []
      let mark = Data([0x1f, 0x43, 0xb6, 0x75])
      while let next = data.range(of: mark, in: (starts.last ?? -4) + 4..<data.count) {
        starts.append(next.lowerBound)
      }
      try #require(starts.count >= 6)
      // Both begin with a key frame or go on from one: clusters of whole seconds.
      let (first, second) = (data[starts[2]..<starts[3]], data[starts[3]..<starts[4]])
      data.replaceSubrange(starts[2]..<starts[4], with: second + first)
      try data.write(to: file)
      let made = try await Prepared.make(file, in: folder)
      let numbers = try NumberReader.read(made.video).map(\.number)
      #expect(numbers.count == 180)
      let wrong = numbers.enumerated().count { $0.offset != $0.element }
      #expect(wrong <= made.manifest.damage.framesConcealed, "\(numbers)")
      #expect(made.manifest.damage.framesConcealed <= 60)
    }

    /// All of the picture, and then all of the sound.
    @Test func `tracks that lie one after the other are no matter`() async throws {
      let folder = try TemporaryDirectory()
      let whole = try ClickFlashClip(
        .constant(Ratio(30), seconds: 6), events: [1, 2.5, 4, 5.5],
        format: ClipFormat(.mp4, extra: CopyClip.tags)
      ).write(in: folder)
      let file = try SourceClip.remux(
        whole, to: "apart.mp4",
        ["-c", "copy", "-movflags", "frag_custom+empty_moov"], in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.isCopy(.video))
      #expect(abs(try SyncMeter(made.video).worst) <= SyncTests.kept)
    }
  }
}
