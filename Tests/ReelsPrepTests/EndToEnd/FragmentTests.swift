import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Fragmented MP4, as recorders and streams leave it, whole and cut off.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct FragmentTests {
    private static let plain = ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]

    /// Numbered frames in fragments of a second.
    private func clip(_ arguments: [String], in folder: TemporaryDirectory) throws -> URL {
      let file = try CopyClip.make(extra: ["-b_strategy", "0"] + arguments, in: folder)
      try #require(try BoxOracle(file).contains("moof"))
      return file
    }

    @Test(arguments: [
      plain, ["-movflags", "+cmaf+global_sidx"],
      ["-movflags", "frag_every_frame+empty_moov"],
      ["-movflags", "frag_keyframe+separate_moof+faststart"],
    ]) func `fragments are as good as a whole`(arguments: [String]) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(arguments, in: folder)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.isCopy(.video), "\(made.manifest.steps)")
      #expect(try CopyClip.packets(made.video, "v") == CopyClip.packets(file, "v"))
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })

      let cut = try await Prepared.make(file, in: folder, slug: "cut") {
        $0.start = MediaTime(seconds: Ratio(455, 300))
      }
      #expect(try NumberReader.read(cut.video).map(\.number) == (45..<180).map { $0 })
    }

    /// Inside of a fragment's samples: all that came is shown, and nothing that did not.
    @Test func `fragments that are cut off are shown as far as they go`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(Self.plain, in: folder)
      let samples = try #require(try BoxOracle(file).all("mdat").dropFirst(4).first).body
      try BoxPatch.truncate(file, to: samples.lowerBound + samples.count / 2)
      let made = try await Prepared.make(file, in: folder)
      let numbers = try NumberReader.read(made.video).map(\.number)
      #expect((120...150).contains(numbers.count))
      #expect(numbers.prefix(120).elementsEqual((0..<120).map { $0 }))
      let wrong = numbers.enumerated().count { $0.offset != $0.element }
      #expect(wrong <= made.manifest.damage.framesConcealed, "\(numbers.suffix(30))")
    }

    /// A cut between two fragments leaves a whole file.
    @Test func `fragments that are missing at the end leave no damage`() async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(Self.plain, in: folder)
      let fragment = try #require(try BoxOracle(file).all("moof").dropFirst(4).first)
      try BoxPatch.truncate(file, to: fragment.range.lowerBound)
      let made = try await Prepared.make(file, in: folder)
      #expect(made.isCopy(.video))
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<120).map { $0 })
      #expect(made.manifest.damage.framesConcealed == 0)
    }
  }
}
