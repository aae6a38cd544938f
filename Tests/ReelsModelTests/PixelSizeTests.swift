import ReelsModel
import Testing

@Suite struct PixelSizeTests {
  @Test func `a size that is one`() {
    #expect(PixelSize(parsing: "1080x1920") == PixelSize(width: 1080, height: 1920))
    #expect(PixelSize(parsing: "1920X1080") == PixelSize(width: 1920, height: 1080))
    #expect(PixelSize(parsing: "16x8192") == PixelSize(width: 16, height: 8192))
    #expect(PixelSize(width: 1080, height: 1920).description == "1080x1920")
    #expect(PixelSize(width: 2, height: 3).turned == PixelSize(width: 3, height: 2))
    #expect(PixelSize(width: 2, height: 3).area == 6)
  }

  @Test(arguments: [
    "", "x", "1080", "1080x", "x1920", "1080x1920x1", "-1080x1920", "+1080x1920", "1080 x 1920",
    "15x100", "100x8193", "1080.0x1920", "1080×1920", "99999999999999999999x16",
  ])
  func `a text that is no size`(text: String) {
    #expect(PixelSize(parsing: text) == nil)
  }
}
