import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Parts of a source, copied where that is exact.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct CopyCutTests {
    @Test(arguments: [0, 1, 2, 3]) func `a cut is exact, copied or not`(bFrames: Int) async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(
        .mp4, .constant(Ratio(30), seconds: 8), bFrames: bFrames,
        extra: ["-b_strategy", "0"], in: folder)
      var copied = 0
      for (index, cut) in [(0, 91), (0, 100), (30, 92), (60, 93), (60, 180), (45, 100), (31, 95)]
        .enumerated()
      {
        let made = try await Prepared.make(file, in: folder, slug: "cut-\(index)") {
          $0.start = MediaTime(seconds: Ratio(Int64(cut.0), 30))
          $0.duration = MediaTime(seconds: Ratio(Int64(cut.1), 30))
        }
        #expect(
          try NumberReader.read(made.video).map(\.number)
            == (cut.0..<cut.0 + cut.1).map { $0 }, "\(cut)")
        let isCopy = CopyClip.steps(made.manifest, .video).first?.action == .copy
        #expect(try IndependentCheck(isCopy: isCopy).problems(in: made.video) == [])
        // The start must be a key frame; without B-frames that is all.
        if cut.0 % 30 != 0 { #expect(!isCopy, "\(cut)") }
        if cut.0 % 30 == 0, bFrames == 0 { #expect(isCopy, "\(cut)") }
        if isCopy {
          copied += 1
        } else {
          let rule = CopyClip.steps(made.manifest, .video).first?.rule
          #expect(rule == (cut.0 % 30 == 0 ? .window : .closedGOP), "\(cut)")
        }
      }
      #expect(copied >= 1)
      if bFrames > 0 { #expect(copied < 5) }
    }

    /// Whatever is copied, the frames are those that were asked for, and sound stays with them.
    @Test(arguments: [ClipFormat.Container.mp4, .mkv, .ts], [0, 2, 4])
    func `random cuts are exact`(container: ClipFormat.Container, bFrames: Int) async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(
        container, .constant(Ratio(25), seconds: 12), gopFrames: 20, bFrames: bFrames, in: folder)
      var generator = SeededGenerator(state: UInt64(bFrames) + 77)
      var copied = 0
      for index in 0..<8 {
        // Half of the starts at a key frame.
        let first =
          index % 2 == 0
          ? 20 * Int.random(in: 0...8, using: &generator)
          : Int.random(in: 0...200, using: &generator)
        let count = Int.random(in: 75...(300 - first), using: &generator)
        let made = try await Prepared.make(file, in: folder, slug: "cut-\(index)") {
          $0.start = MediaTime(seconds: Ratio(Int64(first), 25))
          $0.duration = MediaTime(seconds: Ratio(Int64(count), 25))
        }
        #expect(
          try NumberReader.read(made.video).map(\.number) == (first..<first + count).map { $0 },
          "\(first), \(count): \(made.manifest.steps)")
        let isCopy = CopyClip.steps(made.manifest, .video).first?.action == .copy
        copied += isCopy ? 1 : 0
        #expect(try IndependentCheck(isCopy: isCopy).problems(in: made.video) == [])
      }
      #expect(copied > 0)
    }

    /// At frame 105 the nearest packet begins 1.33 ms before the picture; their stamps, rounded, say 1 ms.
    @Test func `sound is not copied for being near by rounding alone`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(
        .mkv, .constant(Ratio(30), seconds: 8), gopFrames: 15, bFrames: 0, in: folder)
      for (first, action) in [(0, Plan.Step.Action.copy), (105, .encode)] {
        let made = try await Prepared.make(file, in: folder, slug: "at-\(first)") {
          $0.start = MediaTime(seconds: Ratio(Int64(first), 30))
          $0.duration = MediaTime(seconds: 4)
        }
        #expect(CopyClip.steps(made.manifest, .video).first?.action == .copy)
        #expect(CopyClip.steps(made.manifest, .audio).first?.action == action, "\(first)")
      }
    }

    @Test func `a start moves to a key frame that is near enough`() async throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(.mp4, .constant(Ratio(30), seconds: 8), bFrames: 0, in: folder)
      for (snap, first) in [(nil, 55), (Ratio(1, 10), 55), (Ratio(1, 4), 60)] as [(Ratio?, Int)] {
        let made = try await Prepared.make(file, in: folder, slug: "snap-\(first)-\(snap != nil)") {
          $0.start = MediaTime(seconds: Ratio(55, 30))
          $0.snap = snap.map { MediaTime(seconds: $0) }
          $0.duration = MediaTime(seconds: 4)
        }
        #expect(
          try NumberReader.read(made.video).map(\.number) == (first..<first + 120).map { $0 })
        #expect(
          CopyClip.steps(made.manifest, .video).first?.action == (first == 60 ? .copy : .encode))
        #expect(made.manifest.window?.requestedStart == MediaTime(seconds: Ratio(55, 30)))
        #expect(made.manifest.window?.start == MediaTime(seconds: Ratio(Int64(first), 30)))
      }
    }

    @Test func `a start is not moved where nothing can be copied, or too little is left`()
      async throws
    {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(.mp4, .constant(Ratio(30), seconds: 8), bFrames: 0, in: folder)
      for (index, change)
        in ([
          {
            $0.frameRate = Ratio(25)
            $0.duration = MediaTime(seconds: 3)
          },
          { $0.end = MediaTime(seconds: Ratio(49, 10)) },
        ] as [(inout Request) -> Void]).enumerated()
      {
        let made = try await Prepared.make(file, in: folder, slug: "snap-\(index)") {
          $0.start = MediaTime(seconds: Ratio(55, 30))
          $0.snap = MediaTime(seconds: Ratio(1, 2))
          change(&$0)
        }
        #expect(made.manifest.window?.start == MediaTime(seconds: Ratio(55, 30)))
      }
    }
  }
}
