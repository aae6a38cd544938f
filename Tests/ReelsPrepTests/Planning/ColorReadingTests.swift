import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct ColorReadingTests {
  private static let sd = PixelSize(width: 720, height: 576)
  private static let hd = PixelSize(width: 1280, height: 720)

  private func read(
    _ tags: ColorDescription, _ pixels: PixelFormatInfo = .yuv420p, _ size: PixelSize
  ) -> ColorDescription {
    ColorReading.resolve(tags, pixels: pixels, size: size)
  }

  @Test(arguments: [sd, PixelSize(width: 320, height: 240), PixelSize(width: 1279, height: 719)])
  func `untagged standard definition is BT.601`(size: PixelSize) {
    #expect(
      read(ColorDescription(), size)
        == ColorDescription(
          primaries: .bt709, transfer: .bt709, matrix: .smpte170m, range: .limited))
  }

  @Test(arguments: [
    hd, PixelSize(width: 720, height: 1280), PixelSize(width: 1080, height: 1920),
    PixelSize(width: 3840, height: 2160),
  ])
  func `untagged high definition is BT.709, limited`(size: PixelSize) {
    #expect(read(ColorDescription(), size) == .bt709)
  }

  @Test func `tags are believed`() {
    let tags = ColorDescription(
      primaries: .bt470bg, transfer: .smpte170m, matrix: .bt470bg, range: .full)
    #expect(read(tags, Self.hd) == tags)
    let hlg = ColorDescription(
      primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant, range: .limited)
    #expect(read(hlg, .yuv420p10, Self.sd) == hlg)
  }

  @Test func `each missing tag is filled in by itself`() {
    #expect(read(ColorDescription(range: .full), Self.hd).range == .full)
    #expect(read(ColorDescription(range: .full), Self.hd).matrix == .bt709)
    #expect(read(ColorDescription(matrix: .bt709), Self.sd).matrix == .bt709)
    #expect(read(ColorDescription(transfer: .pq), Self.hd).transfer == .pq)
  }

  @Test func `RGB has no matrix but its own and the full range`() {
    #expect(
      read(ColorDescription(), .gbrp, Self.sd)
        == ColorDescription(primaries: .bt709, transfer: .bt709, matrix: .rgb, range: .full))
    #expect(read(ColorDescription(matrix: .bt709), .gbrp, Self.hd).matrix == .rgb)
    // The RGB matrix on YUV is a wrong tag.
    #expect(read(ColorDescription(matrix: .rgb), Self.hd).matrix == .bt709)
  }

  private func read(_ tags: ColorDescription, _ size: PixelSize) -> ColorDescription {
    read(tags, .yuv420p, size)
  }
}
