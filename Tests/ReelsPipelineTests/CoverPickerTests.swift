import Foundation
import ReelsModel
import ReelsPipeline
import TestSupport
import Testing

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
