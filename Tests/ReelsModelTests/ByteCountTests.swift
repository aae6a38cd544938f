import Foundation
import ReelsModel
import Testing

@Suite struct ByteCountTests {
  @Test(arguments: [
    ("50000000", 50_000_000), ("50MB", 50_000_000), ("50 mb", 50_000_000), ("1.5 MB", 1_500_000),
    ("800kB", 800_000), ("47MiB", 49_283_072), ("1KiB", 1024), ("1GB", 1_000_000_000),
    ("2GiB", 2_147_483_648), ("93B", 93), ("1.9B", 1),
  ])
  func `a size that is one`(text: String, bytes: Int64) {
    #expect(ByteCount(parsing: text) == ByteCount(bytes))
  }

  @Test(arguments: [
    "", "0", "0MB", "0.4", "-1", "-5MB", "MB", "b", "1e6", "1.2.3MB", "50Mb/s", "50 M", "fifty",
    "1,5MB", "inf", "nan", "0x10", "99999999999GB", "٥MB", ".5MB", "5MB5", "5 0MB",
  ])
  func `a text that is no size`(text: String) {
    #expect(ByteCount(parsing: text) == nil)
  }

  @Test func `the description has a unit that fits`() {
    #expect(ByteCount(93).description == "93 bytes")
    #expect(ByteCount(812_345).description == "812 kB")
    #expect(ByteCount(49_680_000).description == "49.7 MB")
    #expect(BitsPerSecond(6_310_000).description == "6.31 Mbit/s")
    #expect(BitsPerSecond(128_000).description == "128 kbit/s")
  }

  @Test func `JSON is the bare number`() throws {
    let data = try JSONEncoder().encode([ByteCount(5)])
    #expect(String(decoding: data, as: UTF8.self) == "[5]")
    #expect(try JSONDecoder().decode([ByteCount].self, from: data) == [ByteCount(5)])
  }
}
