import ReelsModel
import Testing

@Suite struct RGBColorTests {
  @Test func `names and six digits`() {
    #expect(RGBColor(parsing: "black") == .black)
    #expect(RGBColor(parsing: "White") == RGBColor(red: 255, green: 255, blue: 255))
    #expect(RGBColor(parsing: "#1a2B3c") == RGBColor(red: 0x1A, green: 0x2B, blue: 0x3C))
    #expect(RGBColor(parsing: "1a2B3c") == RGBColor(red: 0x1A, green: 0x2B, blue: 0x3C))
    #expect(RGBColor(red: 1, green: 0x2B, blue: 0).hexadecimal == "0x012B00")
  }

  @Test(arguments: [
    "", "#", "#fff", "1a2b3", "1a2b3c4", "##1a2b3", "gggggg", "+1a2b3", "-1a2b3", "blue", "#+12345",
    "１２３４５６", " black",
  ])
  func `a text that is no colour`(text: String) {
    #expect(RGBColor(parsing: text) == nil)
  }
}
