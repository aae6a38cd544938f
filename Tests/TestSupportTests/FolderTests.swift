import Foundation
import ReelsModel
import TestSupport
import Testing

@Suite struct FolderTests {
  @Test func `a temporary directory goes with its last reference`() throws {
    var folder: TemporaryDirectory? = try TemporaryDirectory()
    let url = try #require(folder?.url)
    try Data("x".utf8).write(to: url.appending(path: "a"))
    #expect(folder?.contents == ["a"])
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func `a URL becomes the same path`() {
    #expect(URL(filePath: "/videos/näh me.mp4").filePath == FilePath("/videos/näh me.mp4"))
  }

  @Test(.enabled(if: Corpus.directory != nil))
  func `every file of the corpus is there`() {
    #expect(!Corpus.files.isEmpty)
    for file in Corpus.files {
      #expect(FileManager.default.fileExists(atPath: file.url.path), "\(file)")
    }
    #expect(Corpus.files.contains { $0.decodes } && Corpus.files.contains { !$0.decodes })
    #expect(!Corpus.files(in: "phone-apple").isEmpty)
  }
}
