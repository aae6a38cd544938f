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

    @Test(
      "A sticker without alpha is a JPEG where that is smaller, in the manifest and every share")
    func photo() async throws {
      let folder = try TemporaryDirectory()
      let clip = try NumberedClip(.constant(Ratio(30), seconds: 4)).write(in: folder)
      let sticker = folder.file("sticker.png")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x640,noise=alls=20,format=rgb24",
        "-frames:v", "1", sticker.path,
      ])
      let made = try await Prepared.make(clip, in: folder) {
        $0.sticker = sticker.filePath
        $0.stickerSize = PixelSize(width: 800, height: 800)
      }
      let file = made.manifest.files.first { $0.name.hasPrefix("sticker") }
      #expect(file?.name == "sticker.jpg" && file?.mediaType == "image/jpeg")
      let picture = try Probe(made.directory.appending(path: "sticker.jpg")).video
      #expect(picture?.width == 800 && picture?.height == 400)
      #expect(made.manifest.warnings.map(\.code).contains("sticker-size"))
      let ios = made.manifest.share.compactMap(\.ios)
      #expect(!ios.isEmpty)
      for share in ios {
        #expect(
          share.pasteboard.contains { $0.values.contains(.file("sticker.jpg")) }, "\(share.url)")
      }
      let checked = try await Check().run(made.payload.path)
      #expect(checked.failures.isEmpty, "\(checked.failures)")
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
