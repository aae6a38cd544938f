import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clip"))
  struct StickerTests {
    @Test("A sticker that is no picture is refused before anything is encoded")
    func noPicture() async throws {
      let folder = try TemporaryDirectory()
      let output = try TemporaryDirectory()
      let clip = try NumberedClip(.constant(Ratio(30), seconds: 4)).write(in: folder)
      let sticker = folder.file("sticker.png")
      try Data("not a picture".utf8).write(to: sticker)
      var request = Request(
        input: clip.filePath, outputDirectory: output.url.filePath, slug: "payload")
      request.sticker = sticker.filePath
      let encoded = Encoded()
      let error = await #expect(throws: PrepError.self) {
        try await ReelsPrep().prepare(request) { if case .progress = $0 { encoded.note() } }
      }
      #expect(error?.code == .badSticker)
      #expect(error?.sentence.contains("sticker.png") == true)
      #expect(!encoded.value)
      #expect(output.contents == [])
    }

    @Test("A sticker is fitted into 640x480 and keeps its alpha")
    func fitted() async throws {
      let folder = try TemporaryDirectory()
      let clip = try NumberedClip(.constant(Ratio(30), seconds: 4)).write(in: folder)
      let sticker = folder.file("sticker.png")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "color=red@0.5:size=1280x640,format=rgba", "-frames:v",
        "1", sticker.path,
      ])
      let made = try await Prepared.make(clip, in: folder) { $0.sticker = sticker.filePath }
      let probe = try Probe(made.directory.appending(path: "sticker.png"))
      #expect(probe.video?.width == 640 && probe.video?.height == 320)
      #expect(probe.video?.pixFmt == "rgba")
      #expect(made.manifest.files.map(\.name).contains("sticker.png"))
    }
  }

  /// Whether anything was encoded, told from any thread.
  private final class Encoded: @unchecked Sendable {
    // Sound to share: the flag is only touched under the lock.
    private let lock = NSLock()
    private var flag = false
    func note() { lock.withLock { flag = true } }
    var value: Bool { lock.withLock { flag } }
  }
}
