import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clip"))
  struct PreviewTests {
    /// A payload with a green video of 360x480, and a blue sticker or one that is half clear.
    private static func payload(
      in folder: TemporaryDirectory, sticker: [UInt8]?
    ) async throws -> Prepared {
      let clip = folder.file("clip.mp4")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "color=0x00C000:size=360x480:rate=30:duration=3.2",
        "-pix_fmt", "yuv420p", clip.path,
      ])
      let picture = folder.file("picture.png")
      if let sticker {
        let bytes = StickerBytes.png(200, 100, kind: 6) { _, _ in sticker }
        try Data(bytes).write(to: picture)
      }
      return try await Prepared.make(clip, in: folder) {
        if sticker != nil { $0.sticker = picture.filePath }
      }
    }

    private static func isNear(_ one: [Double], _ other: [Double]) -> Bool {
      one.count == 3 && zip(one, other).allSatisfy { abs($0 - $1) <= 12 }
    }

    @Test("A preview shows the cover, the sticker in the middle and the bands over both")
    func drawn() async throws {
      let folder = try TemporaryDirectory()
      let made = try await Self.payload(in: folder, sticker: [0, 0, 255, 128])
      let output = folder.file("preview.png")
      let report = try await Preview().run(made.payload.path, output: output.filePath)
      #expect(report.size == PixelSize(width: 1080, height: 1920))
      #expect(report.cover == PixelRect(x: 0, y: 240, size: PixelSize(width: 1080, height: 1440)))
      #expect(
        report.sticker == PixelRect(x: 440, y: 910, size: PixelSize(width: 200, height: 100)))
      #expect(report.covered.map(\.y) == [0, 1248])
      let picture = try Picture(output)
      #expect(picture.size == report.size)
      let green = [0.0, 192, 0]
      #expect(Self.isNear(picture.color(x: 540, y: 700), green))
      #expect(Self.isNear(picture.color(x: 430, y: 960), green), "left of the sticker")
      #expect(Self.isNear(picture.color(x: 540, y: 960), [0, 96, 128]), "through the sticker")
      #expect(Self.isNear(picture.color(x: 540, y: 1100), green), "below the sticker")
      #expect(Self.isNear(picture.color(x: 540, y: 100), [84, 0, 0]), "a band over no cover")
      #expect(Self.isNear(picture.color(x: 540, y: 1500), [84, 128, 0]), "a band over the cover")
    }

    @Test("A payload without a sticker has a preview too")
    func plain() async throws {
      let folder = try TemporaryDirectory()
      let made = try await Self.payload(in: folder, sticker: nil)
      let output = folder.file("preview.png")
      let report = try await Preview().run(made.payload.path, output: output.filePath)
      #expect(report.sticker == nil)
      #expect(Self.isNear(try Picture(output).color(x: 540, y: 960), [0, 192, 0]))
    }

    @Test("A preview replaces a file only where it is told to, and nothing else ever")
    func refusals() async throws {
      let folder = try TemporaryDirectory()
      let made = try await Self.payload(in: folder, sticker: [0, 0, 255, 255])
      let path = made.payload.path
      let output = folder.file("preview.png")
      try Data("mine".utf8).write(to: output)
      func refused(_ preview: Preview, _ path: FilePath, _ output: URL) async -> PrepError? {
        do {
          _ = try await preview.run(path, output: output.filePath)
          return nil
        } catch {
          return error as? PrepError
        }
      }
      var error = await refused(Preview(), path, output)
      #expect(error?.blame == .output && error?.sentence.contains("--overwrite") == true)
      #expect(try Data(contentsOf: output) == Data("mine".utf8))
      error = await refused(Preview(overwrite: true), path, folder.url)
      #expect(error?.blame == .output)
      error = await refused(Preview(), path, folder.file("no/such/folder.png"))
      #expect(error?.blame == .output)
      error = await refused(Preview(), folder.url.filePath, folder.file("other.png"))
      #expect(error?.blame == .input, "no payload")
      #expect(await refused(Preview(overwrite: true), path, output) == nil)
      #expect(try Picture(output).size == PixelSize(width: 1080, height: 1920))
      try FileManager.default.removeItem(at: made.cover)
      error = await refused(Preview(), path, folder.file("other.png"))
      #expect(error?.blame == .input && error?.sentence.contains("cover.jpg") == true)
      #expect(!folder.contents.contains { $0.contains("other") || $0.contains("partial") })
    }
  }
}
