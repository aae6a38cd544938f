import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

@Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to decode"))
struct StickerFormTests {
  private static let corners: [[UInt8]] = [
    [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0],
  ]

  /// Red, green, blue and yellow: upper left, upper right, lower left, lower right.
  private static func quarters(_ before: [UInt8] = []) -> [UInt8] {
    StickerBytes.png(96, 64, before: before) { x, y in
      corners[(y < 32 ? 0 : 2) + (x < 48 ? 0 : 1)]
    }
  }

  /// Which stored corner is on show in each, by what CIPA DC-008 says of row 0 and column 0.
  private static let shown = [
    [0, 1, 2, 3], [1, 0, 3, 2], [3, 2, 1, 0], [2, 3, 0, 1], [0, 2, 1, 3], [2, 0, 3, 1],
    [3, 1, 2, 0], [1, 3, 0, 2],
  ]

  private func expectTurned(_ trial: StickerTrial, _ orientation: Int, _ kind: String) {
    let isTurned = orientation > 4
    #expect(trial.size == PixelSize(width: isTurned ? 64 : 96, height: isTurned ? 96 : 64))
    for (place, corner) in Self.shown[orientation - 1].enumerated() {
      let color = trial.color(place % 2 == 0 ? 0.25 : 0.75, place < 2 ? 0.25 : 0.75)
      let expected = Self.corners[corner].map(Int.init) + [255]
      #expect(
        StickerTrial.isNear(color, expected, within: 4), "\(kind) \(orientation), place \(place)")
    }
  }

  @Test(arguments: 1...8) func `EXIF's eight orientations end upright`(orientation: Int) throws {
    let exif = StickerBytes.exif(orientation)
    expectTurned(
      try StickerTrial.make(Self.quarters(StickerBytes.chunk("eXIf", exif))), orientation, "PNG")
    let jpeg = try StickerTrial.converted(
      Self.quarters(), to: "a.jpg", ["-q:v", "1", "-qmin", "1", "-pix_fmt", "yuvj444p"])
    let segment = StickerBytes.segment(0xE1, Array("Exif\0\0".utf8) + exif)
    expectTurned(
      try StickerTrial.make(StickerBytes.inserting(segment, into: jpeg)), orientation, "JPEG")
  }

  @Test(
    .enabled(if: Self.writesWebP, "needs an ffmpeg that writes WebP"), arguments: [1, 3, 6, 7])
  func `so do those of WebP`(orientation: Int) throws {
    let webp = try StickerTrial.converted(Self.quarters(), to: "a.webp", ["-lossless", "1"])
    let bytes = StickerBytes.extended(webp: webp, 96, 64, exif: StickerBytes.exif(orientation))
    expectTurned(try StickerTrial.make(bytes), orientation, "WebP")
  }

  private static let writesWebP =
    (try? Tool.ffmpeg.run(["-hide_banner", "-encoders"]).text.contains("libwebp")) == true

  @Test func `EXIF data that is broken leaves the picture as it is`() throws {
    for exif in [
      [], Array("MM".utf8), StickerBytes.exif(9), Array(StickerBytes.exif(6).prefix(12)),
    ] {
      let trial = try StickerTrial.make(Self.quarters(StickerBytes.chunk("eXIf", exif)))
      expectTurned(trial, 1, "\(exif)")
    }
  }

  @Test func `sixteen bits, grey and palettes with tRNS keep colour and alpha`() throws {
    let deep = StickerBytes.png(40, 40, depth: 16, kind: 6) { _, _ in
      [0x80, 0x80, 0x40, 0x00, 0xFF, 0xFF, 0x7F, 0xFF]
    }
    #expect(
      StickerTrial.isNear(
        try StickerTrial.make(deep).color(0.5, 0.5), [128, 64, 255, 127], within: 1))
    let gray = StickerBytes.png(
      40, 40, kind: 0, before: StickerBytes.chunk("tRNS", [0, 10])
    ) { x, _ in [x < 20 ? 10 : 200] }
    #expect(try StickerTrial.make(gray).color(0.25, 0.5)[3] == 0)
    #expect(try StickerTrial.make(gray).color(0.75, 0.5) == [200, 200, 200, 255])
    let grayAlpha = StickerBytes.png(40, 40, kind: 4) { _, _ in [90, 60] }
    #expect(try StickerTrial.make(grayAlpha).color(0.5, 0.5) == [90, 90, 90, 60])
    let palette = StickerBytes.png(
      40, 40, kind: 3,
      before: StickerBytes.chunk("PLTE", [9, 8, 7, 50, 150, 250])
        + StickerBytes.chunk("tRNS", [255, 100])
    ) { x, _ in [x < 20 ? 0 : 1] }
    #expect(try StickerTrial.make(palette).color(0.25, 0.5) == [9, 8, 7, 255])
    #expect(try StickerTrial.make(palette).color(0.75, 0.5) == [50, 150, 250, 100])
  }

  @Test func `what cannot be seen leaves no fringe when a picture is made smaller`() throws {
    // White where it is opaque, black where it is clear.
    let disc = StickerBytes.png(1300, 1000, kind: 6) { x, y in
      let isInside = (x - 650) * (x - 650) + (y - 500) * (y - 500) < 160_000
      return isInside ? [255, 255, 255, 255] : [0, 0, 0, 0]
    }
    let trial = try StickerTrial.make(disc)
    #expect(trial.made.name == "sticker.png" && trial.size == PixelSize(width: 624, height: 480))
    var (edges, darkest) = (0, 255)
    for start in stride(from: 0, to: trial.pixels.count, by: 4) {
      let pixel = trial.pixels[start..<start + 4].map(Int.init)
      guard pixel[3] >= 16, pixel[3] < 240 else { continue }
      edges += 1
      darkest = min(darkest, pixel[0], pixel[1], pixel[2])
    }
    #expect(darkest >= 245)
    #expect(edges > 200)
  }

  @Test func `an opaque picture becomes the smaller of the two`() throws {
    let flat = try StickerTrial.make(
      StickerBytes.png(300, 200, kind: 6) { _, _ in [10, 20, 30, 255] })
    #expect(flat.made.name == "sticker.png" && flat.made.mediaType == "image/png")
    #expect(flat.made.bytes[25] == 2, "a PNG without alpha")
    let photo = try StickerTrial.make(
      StickerBytes.png(300, 200) { x, y in
        let (wide, high) = (Double(x), Double(y))
        return [sin(wide / 17) * cos(high / 23), sin(wide * high / 900), cos(wide / 31 + high / 9)]
          .map { UInt8(128 + 100 * $0) }
      })
    #expect(photo.made.name == "sticker.jpg" && photo.made.mediaType == "image/jpeg")
  }

  @Test func `nothing but the picture is in the result`() throws {
    let text = StickerBytes.chunk("tEXt", Array("Author\0somebody".utf8))
    let before =
      text + StickerBytes.chunk("eXIf", StickerBytes.exif(1))
      + StickerBytes.iCCP(StickerBytes.displayP3)
    for kind in [2, 6] as [UInt8] {
      let made = try StickerTrial.make(
        StickerBytes.png(90, 70, kind: kind, before: before) { x, y in
          [UInt8(x * y % 251), UInt8(x), UInt8(y)] + (kind == 6 ? [99] : [])
        }
      ).made
      let found = StillSource.read(made.bytes)
      #expect(found?.bytesWithoutProfile == nil)
      let latin = String(decoding: made.bytes.map { $0 < 128 ? $0 : 63 }, as: UTF8.self)
      for word in ["somebody", "Exif", "eXIf", "iCCP", "ICC_PROFILE", "tEXt", "Lavc"] {
        #expect(!latin.contains(word), "\(word) in \(made.name)")
      }
    }
  }

  @Test func `a size that was asked for is the limit, and nothing is enlarged`() throws {
    let canvas = PixelSize(width: 50, height: 50)
    #expect(
      try StickerTrial.make(Self.quarters(), canvas: canvas).size
        == PixelSize(width: 50, height: 33))
    #expect(try StickerTrial.make(Self.quarters()).size == PixelSize(width: 96, height: 64))
  }
}
