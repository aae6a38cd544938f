import Foundation
import ReelsModel
import Testing

@Suite struct FilePathTests {
  @Test(arguments: [
    ("/a/b.mov", "b.mov", "/a", "b", "mov"), ("b.mov", "b.mov", ".", "b", "mov"),
    ("/b", "b", "/", "b", ""), ("/a/b/", "b", "/a", "b", ""), ("/", "/", "/", "/", ""),
    ("a//b", "b", "a", "b", ""), ("/a/.hidden", ".hidden", "/a", ".hidden", ""),
    (".x.MP4", ".x.MP4", ".", ".x", "mp4"), ("a.tar.gz", "a.tar.gz", ".", "a.tar", "gz"),
    ("a.", "a.", ".", "a", ""), ("-o", "-o", ".", "-o", ""), ("//a", "a", "/", "a", ""),
    ("///", "/", "/", "/", ""),
  ])
  func `parts of a path`(path: String, last: String, parent: String, stem: String, ending: String) {
    let path = FilePath(path)
    #expect(path.lastComponent == FilePath(last))
    #expect(path.parent == FilePath(parent))
    #expect(path.stem == FilePath(stem))
    #expect(path.pathExtension == ending)
  }

  @Test func `hidden is what begins with a dot and is no place`() {
    for path in [".a", "/x/.a", "/x/.a/", "..."] { #expect(FilePath(path).isHidden) }
    for path in ["a", "/.x/a", ".", "..", "/x/..", ""] { #expect(!FilePath(path).isHidden) }
  }

  @Test func `appending puts one slash between`() {
    #expect(FilePath("/a").appending("b") == FilePath("/a/b"))
    #expect(FilePath("/a/").appending("b") == FilePath("/a/b"))
    #expect(FilePath("/").appending("b") == FilePath("/b"))
    #expect(FilePath("").appending("b") == FilePath("b"))
    #expect(FilePath("/a").isAbsolute && !FilePath("a").isAbsolute)
  }

  @Test func `bytes that are no UTF-8 survive JSON`() throws {
    let odd = FilePath(bytes: [0x2F, 0x61, 0xFF, 0xFE, 0x2E, 0x6D])
    let plain = FilePath("/Zoë \"1\"\n.mov")
    let decoder = JSONDecoder()
    for path in [odd, plain] {
      let data = try JSONEncoder().encode([path])
      #expect(try decoder.decode([FilePath].self, from: data) == [path])
    }
    let data = try JSONEncoder().encode([odd])
    #expect(String(decoding: data, as: UTF8.self).contains(#""base64""#))
    #expect(throws: DecodingError.self) {
      try decoder.decode([FilePath].self, from: Data("[1]".utf8))
    }
  }

  @Test func `two spellings of one name are two paths`() {
    #expect(FilePath("\u{E9}") != FilePath("e\u{301}"))
  }

  @Test func `nothing after a NUL, and a NUL at the end for C`() {
    #expect(FilePath(bytes: [97, 0, 98]) == FilePath("a"))
    #expect(FilePath("ab").cString == [97, 98, 0])
  }

  @Test func `control characters are shown as question marks`() {
    #expect(FilePath("a\nb\u{1B}[31m\u{202E}c\u{2028}d").description == "a?b?[31m?c?d")
    #expect(FilePath("Zoë 😀.mov").description == "Zoë 😀.mov")
    #expect(!FilePath(bytes: [0xFF, 0x0A]).description.contains("\n"))
  }
}
