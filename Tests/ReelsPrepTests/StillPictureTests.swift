import ReelsModel
import Testing

@testable import ReelsPrep

/// A picture read from its first byte to its last, without a decoder.
@Suite struct StillPictureTests {
  private static func chunk(_ kind: String, _ data: [UInt8] = []) -> [UInt8] {
    let size = UInt32(data.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(kind.utf8) + data
      + [0, 0, 0, 0]
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let header = chunk("IHDR", [0, 0, 0, 3, 0, 0, 0, 4, 8, 2, 0, 0, 0])

  private static func png(_ chunks: [UInt8]) -> StillPicture? {
    StillPicture(signature + header + chunks)
  }

  @Test func `a PNG is whole from IHDR to IEND`() throws {
    let whole = try #require(Self.png(Self.chunk("IDAT", [1]) + Self.chunk("IEND")))
    #expect(whole.size.width == 3 && whole.size.height == 4)
    #expect(whole.fault == nil && whole.metadata == nil && whole.mediaType == "image/png")
    #expect(Self.png(Self.chunk("IDAT", [1]))?.fault == "cut short")
    #expect(Self.png(Self.chunk("IEND"))?.fault == "no picture in it")
    #expect(
      Self.png(Self.chunk("IDAT", [1]) + Self.chunk("IEND") + [0])?.fault == "bytes after its end")
    // A chunk that claims more than there is.
    #expect(Self.png([0x7F, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8))?.fault == "cut short")
  }

  @Test(arguments: ["tEXt", "zTXt", "iTXt", "eXIf", "tIME"])
  func `a PNG that tells of a person`(kind: String) {
    let picture = Self.png(Self.chunk(kind, [1]) + Self.chunk("IDAT", [1]) + Self.chunk("IEND"))
    #expect(picture?.metadata == kind)
  }

  private static let frame: [UInt8] = [
    0xFF, 0xC0, 0, 17, 8, 0, 4, 0, 3, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0,
  ]
  private static let scan: [UInt8] = [0xFF, 0xDA, 0, 2, 1, 0xFF, 0, 2, 0xFF, 0xD0, 3]

  @Test func `a JPEG is whole to its end marker`() throws {
    let whole = try #require(StillPicture([0xFF, 0xD8] + Self.frame + Self.scan + [0xFF, 0xD9]))
    guard case .jpeg(let jpeg) = whole else {
      Issue.record("not a JPEG")
      return
    }
    #expect(jpeg.size.width == 3 && jpeg.size.height == 4 && jpeg.components == 3)
    #expect(jpeg.fault == nil && jpeg.metadata == nil)
    #expect(StillPicture([0xFF, 0xD8] + Self.frame + Self.scan)?.fault == "cut short")
    #expect(
      StillPicture([0xFF, 0xD8] + Self.frame + Self.scan + [0xFF, 0xD9, 1])?.fault
        == "bytes after its end")
  }

  @Test(
    arguments: [
      ([0xE1, 0, 4, 1, 1], "EXIF or XMP"), ([0xED, 0, 3, 1], "IPTC"),
      ([0xFE, 0, 3, 65], "a comment"),
      ([0xE2, 0, 5, 0x4D, 0x50, 0x46], "further pictures (MPF)"),
      ([0xE2, 0, 5, 0x49, 0x43, 0x43], nil),
    ] as [([UInt8], String?)])
  func `a JPEG that tells of a person, before its frame or after`(
    segment: [UInt8], name: String?
  ) {
    let marked = [0xFF] + segment
    for body in [marked + Self.frame + Self.scan, Self.frame + marked + Self.scan] {
      #expect(StillPicture([0xFF, 0xD8] + body + [0xFF, 0xD9])?.metadata == name)
    }
  }

  @Test func `what is neither is nothing`() {
    #expect(StillPicture([]) == nil)
    #expect(StillPicture([0xFF, 0xD8, 0xFF, 0xD9]) == nil)
    #expect(StillPicture(Array("GIF89a".utf8)) == nil)
  }
}
