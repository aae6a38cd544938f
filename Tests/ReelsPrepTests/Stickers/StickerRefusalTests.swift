import Foundation
import ReelsFFmpeg
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

@Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to decode"))
struct StickerRefusalTests {
  private static let plain = StickerBytes.png(60, 40) { x, y in [UInt8(x), UInt8(y), 9] }

  private func expect(
    _ bytes: [UInt8], _ fact: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let error = try StickerTrial.refusal(bytes)
    #expect(error?.code == .badSticker, sourceLocation: sourceLocation)
    #expect(error?.blame == .input, sourceLocation: sourceLocation)
    let sentence = error?.sentence ?? "no refusal"
    #expect(sentence.contains(fact), "\(sentence)", sourceLocation: sourceLocation)
    #expect(sentence.hasPrefix("sticker picture.png "), sourceLocation: sourceLocation)
    #expect(sentence.contains("; "), "a way out: \(sentence)", sourceLocation: sourceLocation)
  }

  @Test func `a picture that is cut short is refused wherever it ends`() throws {
    for count in [40, Self.plain.count / 2, Self.plain.count - 1] {
      try expect(Array(Self.plain.prefix(count)), "cut short")
    }
    let jpeg = try StickerTrial.converted(Self.plain, to: "a.jpg", [])
    for share in [2, 3, 4] {
      try expect(Array(jpeg.prefix(jpeg.count - jpeg.count / (share * 2))), "cut short")
    }
    // With an end put behind half of it.
    try expect(Array(jpeg.prefix(jpeg.count - 200)) + [0xFF, 0xD9], "damaged")
  }

  @Test func `a damaged checksum is refused`() throws {
    var bytes = Self.plain
    bytes[bytes.count - 200] ^= 1
    try expect(bytes, "checksum")
  }

  @Test func `a picture of too many pixels is refused before it is decoded`() throws {
    for (width, height) in [(30_000, 30_000), (0x7FFF_FFFF, 0x7FFF_FFFF), (50_000_001, 1)] {
      let header = StickerBytes.big(width) + StickerBytes.big(height) + [8, 2, 0, 0, 0]
      let bytes =
        Array(Self.plain.prefix(8)) + StickerBytes.chunk("IHDR", header)
        + StickerBytes.chunk("IDAT", StickerBytes.stored([0])) + StickerBytes.chunk("IEND", [])
      try expect(bytes, "more than 50 million pixels")
    }
  }

  @Test func `animations are refused, and a single picture in their format is not`() throws {
    func animation(_ frames: Int) -> [UInt8] {
      StickerBytes.png(
        60, 40, before: StickerBytes.chunk("acTL", StickerBytes.big(frames) + StickerBytes.big(0))
      ) { _, _ in [1, 2, 3] }
    }
    try expect(animation(2), "animated")
    #expect(try StickerTrial.make(animation(1)).color(0.5, 0.5) == [1, 2, 3, 255])
    let webp =
      Array("RIFF\0\0\0\0WEBPVP8 ".utf8) + StickerBytes.little(10, 4)
      + [UInt8](repeating: 0, count: 10)
    try expect(StickerBytes.extended(webp: webp, 60, 40, isAnimated: true), "animated")
    try expect(Array("GIF89a".utf8) + [60, 0, 40, 0, 0, 0, 0], "a GIF")
  }

  @Test(arguments: [
    ("hello", "not a JPEG, PNG or WebP picture"), ("", "empty"), ("<svg/>", "an SVG drawing"),
    ("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic", "a HEIC picture"),
    ("\0\0\0\u{18}ftypavif\0\0\0\0mif1avif", "an AVIF picture"),
    ("\0\0\0\u{18}ftypisom\0\0\0\0isommp42", "a video"), ("II*\0........", "a TIFF"),
    ("BM........", "a bitmap"),
  ])
  func `what is no such picture is told by its content`(content: String, fact: String) throws {
    let error = try StickerTrial.refusal(Array(content.utf8))
    #expect(error?.blame == .input)
    #expect(error?.sentence.contains(fact) == true, "\(error?.sentence ?? "no refusal")")
    #expect(error?.sentence.contains("picture.png") == true)
  }

  @Test func `a name tells nothing of what is in a file`() throws {
    let jpeg = try StickerTrial.converted(Self.plain, to: "a.jpg", [])
    #expect(try StickerTrial.make(jpeg, named: "picture.png").size.width == 60)
    #expect(try StickerTrial.make(Self.plain, named: "picture.webp").size.width == 60)
  }

  @Test func `what follows a JPEG is not its own`() throws {
    let jpeg = try StickerTrial.converted(Self.plain, to: "a.jpg", [])
    let trailing = Array("\0\0\0\u{18}ftypmp42".utf8) + [UInt8](repeating: 0xFF, count: 999)
    #expect(try StickerTrial.make(jpeg + trailing).size.width == 60)
  }

  @Test func `text that would unpack to a gigabyte is not unpacked`() throws {
    // What the decoder would be given: no text at all.
    let text = StickerBytes.chunk("zTXt", Array("a\0\0".utf8) + StickerBytes.stored([1, 2, 3]))
    let source = StillSource.read(
      StickerBytes.png(60, 40, before: text) { x, y in [UInt8(x), UInt8(y), 9] })
    #expect(source?.bytes == Self.plain)
  }

  @Test func `what will hardly be seen is taken with a warning`() throws {
    let tiny = try StickerTrial.make(StickerBytes.png(1, 1) { _, _ in [1, 2, 3] })
    #expect(tiny.size == PixelSize(width: 1, height: 1))
    #expect(tiny.made.warnings.map(\.code) == ["sticker-tiny"])
    let clear = try StickerTrial.make(StickerBytes.png(60, 40, kind: 6) { _, _ in [1, 2, 3, 0] })
    #expect(clear.made.warnings.map(\.code) == ["sticker-invisible"])
  }

  @Test func `every flipped byte gives a sticker or a sentence`() throws {
    let jpeg = try StickerTrial.converted(Self.plain, to: "a.jpg", [])
    var random = SeededGenerator(state: 6)
    for source in [Self.plain, jpeg] {
      for _ in 0..<60 {
        var bytes = source
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
        let folder = try TemporaryDirectory()
        let file = folder.file("picture.png")
        try Data(bytes).write(to: file)
        do {
          let made = try Sticker(
            path: file.filePath, canvas: PixelSize(width: 64, height: 48), interrupt: .init()
          ).made()
          #expect(made.size.width <= 64 && made.size.height <= 48)
        } catch let error as PrepError {
          #expect(error.blame == .input)
        }
      }
    }
  }
}
