import Foundation
import ReelsModel
import TestSupport
import XCTest

@testable import ReelsFFmpeg
@testable import ReelsPipeline
@testable import ReelsPrep

/// Frames per second of decoding with scaling, and of the whole job, on a synthesised 1080p clip.
///
/// Run in release mode by `scripts/test --performance`. Nothing fails on an absolute time.
final class ThroughputTests: XCTestCase {
  private static let frames = 120
  nonisolated(unsafe) private static var clip: (TemporaryDirectory, URL)?

  override func setUpWithError() throws {
    try XCTSkipUnless(Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clip")
    guard Self.clip == nil else { return }
    let folder = try TemporaryDirectory()
    let file = folder.file("clip.mp4")
    try Tool.ffmpeg.run([
      "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30", "-f", "lavfi",
      "-i", "sine=sample_rate=48000", "-frames:v", "\(Self.frames)", "-t", "4", "-c:v", "libx264",
      "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", file.path,
    ])
    Self.clip = (folder, file)
  }

  private func input() throws -> URL { try XCTUnwrap(Self.clip).1 }

  private func report(_ what: String, frames: Int, seconds: Double) {
    print("\(what): \(Int(Double(frames) / seconds)) frames/s")
  }

  func testDecodeAndScale() throws {
    let file = try input()
    measure {
      let start = Date()
      do {
        var reader = try VideoReader.open(
          FilePath(file.path), stream: 0, entry: nil, threads: 2, interrupt: Interrupt())
        var graph: FilterGraph?
        var count = 0
        while let picture = try reader.next() {
          if graph == nil {
            graph = try FilterGraph.video(
              "scale=1280:720:flags=lanczos",
              from: picture.frame.videoFormat(timeBase: Ratio(1, 30)),
              threads: 2)
          }
          try graph?.send(picture.frame)
          while let pull = try graph?.receive(), case .value = pull { count += 1 }
        }
        XCTAssertEqual(count, Self.frames)
      } catch {
        XCTFail("\(error)")
      }
      report("decode and scale", frames: Self.frames, seconds: -start.timeIntervalSinceNow)
    }
  }

  func testWholeJob() async throws {
    let folder = try TemporaryDirectory()
    for effort in Effort.allCases {
      let request = Request(
        input: FilePath(try input().path), outputDirectory: FilePath(folder.url.path),
        effort: effort, overwrite: true)
      let payload = try await ReelsPrep().prepare(request)
      let work = payload.manifest.work
      XCTAssertEqual(work.framesOut, Self.frames)
      report("whole job, \(effort.rawValue)", frames: work.framesOut, seconds: work.wallSeconds)
    }
  }
}
