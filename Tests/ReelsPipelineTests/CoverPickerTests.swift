import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPipeline

@Suite(.enabled(if: Clip.isPossible), .timeLimit(.minutes(1))) struct CoverPickerTests {
  @Test func `the cover of a clip that begins in black is not black`() async throws {
    let folder = try TemporaryDirectory()
    let input = folder.file("in.mp4")
    // A second of black, then two of a picture with light and detail.
    try Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "color=black:s=64x32:r=25:d=1", "-f", "lavfi", "-i",
      "testsrc2=s=64x32:r=25:d=2", "-filter_complex", "[0][1]concat,format=yuv420p", input.path,
    ])
    var job = Job(input: input.filePath, output: folder.file("out.mp4").filePath)
    job.audioStreams = []
    let cover = try await job.transcode().run().cover
    #expect(cover.frame >= 25)
    let file = folder.file("cover.jpg")
    try Data(cover.jpeg).write(to: file)
    let luma = try Tool.ffmpeg.run([
      "-v", "error", "-i", file.path, "-pix_fmt", "gray", "-f", "rawvideo", "-",
    ]).stdout
    #expect(luma.count == 64 * 32)
    #expect(luma.reduce(0) { $0 + Int($1) } / max(1, luma.count) > 40)
  }
}

extension CoverPickerTests {
  /// What the picker takes of a clip of libavfilter's, at 25 frames a second.
  private func cover(_ source: String) async throws -> Transcode.CoverPicture {
    let folder = try TemporaryDirectory()
    let input = folder.file("in.mp4")
    try Tool.ffmpeg.run(
      [
        "-v", "error", "-f", "lavfi", "-i", source, "-c:v", "libx264", "-preset", "ultrafast",
        "-pix_fmt",
        "yuv420p", input.path,
      ])
    var job = Job(input: input.filePath, output: folder.file("out.mp4").filePath)
    job.audioStreams = []
    return try await job.transcode().run().cover
  }

  @Test func `a single lit frame among black ones is found`() async throws {
    let cover = try await cover(
      "color=black:s=64x32:r=25:d=3[a];testsrc2=s=64x32:r=25:d=3[b];[a][b]overlay=enable='eq(n,37)',format=yuv420p"
    )
    #expect(cover.frame == 37)
  }

  /// Half-way through the wipe there is twice the detail of what is before and after it.
  @Test func `a transition is no cover`() async throws {
    func half(_ x: Int) -> String {
      "testsrc2=s=64x96:r=25,trim=end_frame=1,pad=128:96:\(x):0:0x202020,loop=75:1:0"
    }
    let cover = try await cover(
      "\(half(0))[a];\(half(64))[b];[a][b]xfade=transition=wipeleft:duration=1:offset=0.5,"
        + "trim=end_frame=75,format=yuv420p")
    #expect(cover.frame <= 12 || cover.frame >= 38, "\(cover.frame)")
  }

  /// The middle square and the middle column are what a profile shows of a cover.
  @Test func `detail outside of the crops counts for nothing`() {
    #expect(
      CoverPicker.core(of: PixelSize(width: 1080, height: 1920))
        == PixelRect(x: 0, y: 420, size: PixelSize(width: 1080, height: 1080)))
    #expect(
      CoverPicker.core(of: PixelSize(width: 1920, height: 1080))
        == PixelRect(x: 656, y: 0, size: PixelSize(width: 607, height: 1080)))
  }
}
