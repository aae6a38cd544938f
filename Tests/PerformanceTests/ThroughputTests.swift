import Foundation
import ReelsModel
import TestSupport
import XCTest

@testable import ReelsFFmpeg
@testable import ReelsPipeline
@testable import ReelsPrep

/// Frames per second of decoding, scaling and encoding, alone and together, on a synthesised 1080p
/// clip.
///
/// Run in release mode by `scripts/test --performance`, which adds them to `ThroughputHistory`.
/// Nothing fails on an absolute time. XCTest fails a `measure` that deviates by more than a tenth
/// and 0.1 s, so that its bodies are kept to 0.2 s; what takes longer is timed by hand.
final class ThroughputTests: XCTestCase {
  /// Of the clip, and of what `measure` decodes of it.
  private static let frames = 120
  private static let measured = 60
  private static let scaling =
    Capabilities.hasFilter("zscale")
    ? "zscale=w=1280:h=720:f=lanczos" : "scale=1280:720:flags=lanczos"
  // Sound: tests run one after the other.
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

  private func reader() throws -> VideoReader {
    try VideoReader.open(
      FilePath(try input().path), stream: 0, entry: nil, threads: 2, interrupt: Interrupt())
  }

  private func scaler(_ frame: borrowing Frame) throws -> FilterGraph {
    try FilterGraph.video(
      Self.scaling, from: frame.videoFormat(timeBase: Ratio(1, 30)), threads: 2)
  }

  /// Measures `body`, which answers how many frames it did, and adds the median to the history.
  private func measure(_ name: String, frames: Int, _ body: () throws -> Int) throws {
    var seconds: [Double] = []
    measure {
      do {
        let start = ContinuousClock.now
        let count = try body()
        XCTAssertEqual(count, frames)
        seconds.append((ContinuousClock.now - start) / .seconds(1))
      } catch {
        XCTFail("\(error)")
      }
    }
    guard !seconds.isEmpty else { return }
    let median = seconds.sorted()[seconds.count / 2]
    try ThroughputHistory.add(name, framesPerSecond: Double(frames) / median)
  }

  func testDecode() throws {
    try measure("decode", frames: Self.measured) {
      var reader = try reader()
      var count = 0
      while count < Self.measured, try reader.next() != nil { count += 1 }
      return count
    }
  }

  func testScale() throws {
    var reader = try reader()
    guard let picture = try reader.next() else { return XCTFail("the clip has no picture") }
    try measure("scale", frames: Self.frames) {
      let graph = try scaler(picture.frame)
      var count = 0
      for place in 0..<Self.frames {
        picture.frame.pts = Int64(place)
        try graph.send(picture.frame)
        while case .value = try graph.receive() { count += 1 }
      }
      return count
    }
  }

  func testDecodeAndScale() throws {
    try measure("decode and scale", frames: Self.measured) {
      var reader = try reader()
      var graph: FilterGraph?
      var count = 0
      while count < Self.measured, let picture = try reader.next() {
        if graph == nil { graph = try scaler(picture.frame) }
        try graph?.send(picture.frame)
        while let pull = try graph?.receive(), case .value = pull { count += 1 }
      }
      return count
    }
  }

  func testEncode() async throws {
    // 30 frames × 3.1 MB, decoded before.
    var reader = try reader()
    var pictures: [HeldFrame] = []
    while pictures.count < 30, let picture = try reader.next() {
      pictures.append(HeldFrame(try picture.frame.shared()))
    }
    for effort in Effort.allCases {
      let request = Request(
        input: FilePath(try input().path), outputDirectory: FilePath("."), effort: effort)
      let plan = try await ReelsPrep().plan(request).plan.video
      try ThroughputHistory.add(
        "encode, \(effort.rawValue)", framesPerSecond: try encode(pictures, as: plan))
    }
  }

  /// The median frames per second of five encodes.
  private func encode(_ pictures: [HeldFrame], as plan: VideoPlan) throws -> Double {
    var seconds: [Double] = []
    for _ in 0..<5 {
      let start = ContinuousClock.now
      let encoder = try Encoder.h264(
        size: plan.geometry.canvas, frameRate: plan.frameRate, encoding: plan.encoding)
      var count = 0
      for (place, picture) in pictures.enumerated() {
        picture.frame.forgetPictureType()
        picture.frame.pts = Int64(place)
        try encoder.send(picture.frame)
        while case .value = try encoder.receive() { count += 1 }
      }
      try encoder.sendEnd()
      while case .value = try encoder.receive() { count += 1 }
      XCTAssertEqual(count, pictures.count)
      seconds.append((ContinuousClock.now - start) / .seconds(1))
    }
    return Double(pictures.count) / seconds.sorted()[2]
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
      try ThroughputHistory.add(
        "whole job, \(effort.rawValue)",
        framesPerSecond: Double(work.framesOut) / work.wallSeconds)
    }
  }
}

/// A frame that an array can hold.
private final class HeldFrame {
  let frame: Frame

  init(_ frame: consuming Frame) { self.frame = frame }
}
