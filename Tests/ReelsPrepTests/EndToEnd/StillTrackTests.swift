import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// A still that lies first in the file, without the mark of a cover, is not taken for the video.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct StillTrackTests {
    @Test func `a still before the video is not the video`() async throws {
      let folder = try TemporaryDirectory()
      let video = try CopyClip.make(in: folder)
      let still = folder.file("still.jpg")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "color=red:s=640x640", "-frames:v", "1", still.path,
      ])
      let file = folder.file("still-first.mkv")
      try Tool.ffmpeg.run([
        "-v", "error", "-i", still.path, "-i", video.path, "-map", "0", "-map", "1", "-c", "copy",
        "-disposition:v:0", "0", "-disposition:v:1", "default", file.path,
      ])
      let made = try await Prepared.make(file, in: folder)
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })
    }
  }
}
