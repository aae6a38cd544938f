import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

/// Measured on what the ffmpeg command decodes.
@Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to decode"))
struct StoryPictureTests {
  private static func made(
    _ bytes: [UInt8], named name: String = "photo.png", _ change: (inout Request) -> Void
  ) async throws -> (trial: StoryTrial, folder: TemporaryDirectory) {
    let folder = try TemporaryDirectory()
    let file = folder.file(name)
    try Data(bytes).write(to: file)
    return (try await StoryTrial.make(file, in: folder, change), folder)
  }

  @Test func `padded, the whole picture lies in the middle of the colour`() async throws {
    let (made, folder) = try await Self.made(StoryTrial.quarters(400, 300)) {
      ($0.fit, $0.padColor) = (.pad, RGBColor(red: 10, green: 120, blue: 90))
    }
    _ = folder
    #expect(made.manifest.background?.size == PixelSize(width: 1080, height: 1920))
    // 1080x810 of 1920 rows: from 555 to 1365.
    for edge in [0.0, 0.287, 0.713, 0.999] {
      #expect(StoryTrial.isNear(try made.color(0.5, edge), [10, 120, 90]), "\(edge)")
    }
    #expect(StoryTrial.isNear(try made.color(0.1, 0.295), StoryTrial.red))
    #expect(StoryTrial.isNear(try made.color(0.9, 0.295), StoryTrial.green))
    #expect(StoryTrial.isNear(try made.color(0.1, 0.705), StoryTrial.blue))
    #expect(StoryTrial.isNear(try made.color(0.9, 0.705), StoryTrial.white))
  }

  @Test func `cropped, it fills the canvas around the focus`() async throws {
    for (focus, color) in [(0.0, StoryTrial.red), (1.0, StoryTrial.green)] {
      let (made, folder) = try await Self.made(StoryTrial.quarters(800, 400)) {
        ($0.fit, $0.cropFocus) = (.crop, PicturePoint(x: focus, y: 0.5))
      }
      _ = folder
      #expect(made.manifest.background?.size == PixelSize(width: 1080, height: 1920))
      for place in [0.01, 0.5, 0.99] {
        #expect(StoryTrial.isNear(try made.color(place, 0.2), color), "\(focus) \(place)")
      }
    }
  }

  @Test func `blurred, its own colours fill what it leaves`() async throws {
    let (made, folder) = try await Self.made(StoryTrial.quarters(800, 400)) { $0.fit = .blur }
    _ = folder
    #expect(StoryTrial.isNear(try made.color(0.1, 0.45), StoryTrial.red))
    #expect(StoryTrial.isNear(try made.color(0.9, 0.55), StoryTrial.white))
    // Of the picture that covers the canvas the middle is seen: red and green above.
    #expect(StoryTrial.isNear(try made.color(0.05, 0.05), StoryTrial.red, within: 6))
    #expect(StoryTrial.isNear(try made.color(0.95, 0.95), StoryTrial.white, within: 6))
  }

  @Test func `kept, it has its own shape where that is large enough`() async throws {
    let (made, folder) = try await Self.made(StoryTrial.quarters(800, 1_400)) { _ in }
    _ = folder
    #expect(made.manifest.background?.size == PixelSize(width: 800, height: 1_400))
    #expect(StoryTrial.isNear(try made.color(0.25, 0.25), StoryTrial.red, within: 1))
  }

  @Test(arguments: 1...8)
  func `it is upright, whichever way it was stored`(orientation: Int) async throws {
    // The corner in which the stored picture's upper left, right, lower left and right end.
    let corners: [[Int]] = [
      [0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1],
      [0, 2, 1, 3], [1, 3, 0, 2], [3, 1, 2, 0], [2, 0, 3, 1],
    ]
    let colors = [StoryTrial.red, StoryTrial.green, StoryTrial.blue, StoryTrial.white]
    let (made, folder) = try await Self.made(
      StoryTrial.quarters(
        400, 300, before: StickerBytes.chunk("eXIf", StickerBytes.exif(orientation)))
    ) { $0.fit = .crop }
    _ = folder
    let places = [(0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)]
    for (stored, shown) in corners[orientation - 1].enumerated() {
      let (x, y) = places[shown]
      #expect(StoryTrial.isNear(try made.color(x, y), colors[stored]), "\(stored) at \(shown)")
    }
  }

  @Test func `what shines through is over the pad colour, without alpha`() async throws {
    let picture = StickerBytes.png(108, 192, kind: 6) { x, _ in
      [200, 100, 50, x < 36 ? 255 : x < 72 ? 128 : 0]
    }
    let (made, folder) = try await Self.made(picture) {
      ($0.fit, $0.padColor) = (.pad, RGBColor(red: 0, green: 0, blue: 250))
    }
    _ = folder
    let file = try #require(made.manifest.background?.file)
    let probe = try Probe(made.directory.appending(path: file))
    #expect(probe.video?.pixFmt?.contains("a") != true)
    #expect(StoryTrial.isNear(try made.color(0.15, 0.5), [200, 100, 50]))
    #expect(StoryTrial.isNear(try made.color(0.5, 0.5), [100, 50, 150]))
    #expect(StoryTrial.isNear(try made.color(0.85, 0.5), [0, 0, 250]))
  }

  @Test func `a profile's colours become those of sRGB, and no metadata is left`() async throws {
    let profile = StickerBytes.iCCP(StickerBytes.displayP3)
    let bytes = StickerBytes.png(108, 192, before: profile) { _, _ in [200, 100, 50] }
    let (made, folder) = try await Self.made(bytes) { $0.fit = .pad }
    _ = folder
    // As StickerColorTests works out of CSS Color 4.
    let asSticker = try StickerTrial.make(bytes)
    #expect(
      StickerTrial.isNear(
        try made.color(0.5, 0.5), asSticker.color(0.5, 0.5).dropLast().map { $0 }, within: 3))
    #expect(!StoryTrial.isNear(try made.color(0.5, 0.5), [200, 100, 50]))
  }

  @Test func `a photo is a JPEG of whole chroma, and a drawing a PNG`() async throws {
    var random = SeededGenerator(state: 7)
    let noise = StickerBytes.png(360, 640) { _, _ in
      (0..<3).map { _ in UInt8.random(in: 60...190, using: &random) }
    }
    let (photo, folder) = try await Self.made(noise) { $0.fit = .pad }
    _ = folder
    #expect(photo.manifest.files.map(\.mediaType) == ["image/jpeg"])
    let probe = try Probe(photo.directory.appending(path: "background.jpg"))
    #expect(probe.video?.pixFmt == "yuvj444p")
    let (drawing, other) = try await Self.made(StoryTrial.quarters(1_080, 1_920)) { _ in }
    _ = other
    #expect(drawing.manifest.files.map(\.mediaType) == ["image/png"])
    #expect(StoryTrial.isNear(try drawing.color(0.2, 0.2), StoryTrial.red, within: 0))
  }
}
