import Foundation
import TestSupport
import Testing

/// A payload that is there already: the job's own, or of something else that has its name.
@Suite(.enabled(if: Tool.ffmpeg.isAvailable, "the ffmpeg command is not installed"))
struct ExistingPayloadTests {
  @Test func `another file of the same name is refused, and the payload stays`() throws {
    let folder = try TemporaryFolder()
    let made = try Program.shell(
      """
      mkdir a b c
      ffmpeg -v error -f lavfi -i testsrc2=s=320x180:r=30:d=3.2 a/clip.mp4
      ffmpeg -v error -f lavfi -i testsrc=s=320x180:r=30:d=3.2 b/clip.mp4
      cp a/clip.mp4 c/clip.mp4 && touch -d 2001-02-03 c/clip.mp4
      """, in: folder)
    try #require(made.code == 0, "\(made.errors)")
    #expect(try Program.run(["a/clip.mp4", "-o", "out"], in: folder).code == 0)
    let before = try Program.shell("cat out/clip.reel/payload.json", in: folder).output

    let other = try Program.run(["b/clip.mp4", "-o", "out"], in: folder)
    #expect(other.code == 74)
    #expect(other.errors.contains("was made of another file than this clip.mp4; use --overwrite"))
    // Nor is it said to be there by a run that does nothing.
    #expect(try Program.run(["b/clip.mp4", "-o", "out", "--dry-run"], in: folder).code == 74)
    #expect(try Program.shell("cat out/clip.reel/payload.json", in: folder).output == before)

    // A copy of the file is the same, whenever it was made.
    #expect(try Program.run(["c/clip.mp4", "-o", "out"], in: folder).code == 0)
    let preset = try Program.run(
      ["a/clip.mp4", "-o", "out", "--preset", "reels-android"], in: folder)
    #expect(preset.code == 74)
    #expect(preset.errors.contains("was made by the preset reels; use --overwrite"))
    #expect(try Program.shell("cat out/clip.reel/payload.json", in: folder).output == before)

    #expect(try Program.run(["b/clip.mp4", "-o", "out", "--overwrite"], in: folder).code == 0)
    #expect(try Program.shell("cat out/clip.reel/payload.json", in: folder).output != before)
  }
}
