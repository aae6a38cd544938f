internal import Foundation
internal import ReelsModel
internal import ReelsPrep
internal import Testing

@Suite struct `Slugs` {
  @Test(arguments: [
    ("clip.mov", "clip"), ("My clip (1).mov", "My-clip--1-"), ("a.b.c.mov", "a.b.c"),
    ("..hidden.mov", "__hidden"), (".mov", "_mov"), ("über.mov", "-ber"),
    ("日本.mp4", "--"), ("/", "-"), ("..", "_"), ("a\nb.mov", "a-b"), ("-o.mov", "-o"),
  ])
  func `everything but portable characters becomes a dash`(name: String, slug: String) {
    #expect(Slug.plain(for: FilePath(name)) == slug)
  }

  @Test func `bytes that are not UTF-8 become dashes`() {
    #expect(Slug.plain(for: FilePath(bytes: [0x61, 0xFF, 0x62, 0x2E, 0x74, 0x73])) == "a-b")
  }

  @Test func `a slug is at most 100 bytes, also with a suffix`() throws {
    let name = String(repeating: "long", count: 50)
    #expect(Slug.plain(for: FilePath(name + ".mov")).utf8.count == 100)
    let slugs = Slug.distinct(for: [FilePath(name + ".mov"), FilePath(name + ".mp4")])
    #expect(slugs.allSatisfy { $0.utf8.count <= 100 })
    #expect(slugs.map { $0.suffix(4) } == ["-mov", "-mp4"])
  }

  @Test func `inputs of one stem each get their extension`() {
    #expect(
      Slug.distinct(for: ["a/clip.mov", "b/clip.MP4", "c.ts"]) == ["clip-mov", "clip-mp4", "c"])
    #expect(Slug.distinct(for: ["clip.mov", "Clip.mkv"]) == ["clip-mov", "Clip-mkv"])
  }

  @Test func `composed and decomposed letters are one name`() {
    let slugs = Slug.distinct(for: ["caf\u{E9}.mov", "cafe\u{301}.mp4"])
    #expect(slugs == ["caf--mov", "caf--mp4"])
  }

  @Test func `inputs of one name get a part of their fingerprints, whatever their order`() throws {
    let folder = try TemporaryFolder()
    let one = try folder.write("one", to: "1/clip.mov")
    let two = try folder.write("two", to: "2/clip.mov")
    let slugs = Slug.distinct(for: [one, two])
    #expect(Set(slugs).count == 2)
    #expect(slugs.allSatisfy { $0.wholeMatch(of: #/clip-mov-[0-9a-f]{8}/#) != nil })
    #expect(Slug.distinct(for: [two, one]) == slugs.reversed())
  }

  @Test func `copies of one file get different names`() throws {
    let folder = try TemporaryFolder()
    let time = Date(timeIntervalSince1970: 1_000_000)
    let paths = try ["1/clip.mov", "2/clip.mov", "3/CLIP.mov"].map { name in
      let path = try folder.write("same", to: name)
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path.string)
      return path
    }
    let slugs = Slug.distinct(for: paths)
    #expect(Set(slugs.map { $0.lowercased() }).count == 3)
    #expect(Slug.distinct(for: paths.reversed()) == slugs.reversed())
  }

  @Test func `a name made longer does not take another's`() throws {
    let slugs = Slug.distinct(for: ["clip.mov", "clip.mp4", "clip-mov.mkv"])
    #expect(Set(slugs).count == 3)
  }
}
