import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct FileSystemTests {
  @Test func `names that are no UTF-8 are written, listed and removed`() throws {
    #if os(Linux)
      let folder = try Folder()
      let name = FilePath(bytes: [0x66, 0xFF, 0xFE])
      try FileSystem.write([1, 2], to: folder.path.appending(name))
      #expect(try DirectoryTree.names(in: folder.path) == [name])
      #expect(try FileSystem.read(folder.path.appending(name), limit: ByteCount(2)) == [1, 2])
      try DirectoryTree.remove(folder.path)
      #expect(try FileSystem.status(folder.path) == nil)
    #endif
  }

  @Test func `reading stops at the limit`() throws {
    let folder = try Folder()
    try folder.write([1, 2, 3], "three")
    let path = folder.path.appending("three")
    #expect(try FileSystem.read(path, limit: ByteCount(3)) == [1, 2, 3])
    let error = #expect(throws: FileError.self) {
      try FileSystem.read(path, limit: ByteCount(2))
    }
    #expect(error?.number == EFBIG)
    #expect(error?.prepError(blame: .input).code == .tooLarge)
  }

  @Test func `chunks are in order and whole`() throws {
    let folder = try Folder()
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try folder.write(bytes, "file")
    var chunks: [[UInt8]] = []
    try FileSystem.readChunks(folder.path.appending("file"), chunk: 4_096) { chunks.append($0) }
    #expect(chunks.map(\.count) == [4_096, 4_096, 1_808])
    #expect(Array(chunks.joined()) == bytes)
  }

  @Test func `a pipe does not block and a folder is no file`() throws {
    let folder = try Folder()
    let pipe = folder.path.appending("pipe")
    #expect(mkfifo(pipe.cString, 0o600) == 0)
    #expect(throws: FileError.self) { try FileSystem.read(pipe, limit: ByteCount(9)) }
    let error = #expect(throws: FileError.self) {
      try FileSystem.read(folder.path, limit: ByteCount(9))
    }
    #expect(error?.prepError(blame: .input).code == .notAFile)
  }

  @Test func `an exchange swaps and a missing name is an error`() throws {
    let folder = try Folder()
    try folder.write([1], "a")
    try folder.write([2], "b")
    let (a, b) = (folder.path.appending("a"), folder.path.appending("b"))
    guard try FileSystem.exchange(a, b) else { return }
    #expect(try FileSystem.read(a, limit: ByteCount(9)) == [2])
    #expect(try FileSystem.read(b, limit: ByteCount(9)) == [1])
    let error = #expect(throws: FileError.self) {
      try FileSystem.exchange(a, folder.path.appending("c"))
    }
    #expect(error?.number == ENOENT)
  }

  @Test func `a deep tree is removed and a link in it is not followed`() throws {
    let folder = try Folder()
    let outside = try Folder()
    try outside.write([1], "precious")
    try folder.makeDirectory("tree/a/b/c")
    try folder.write([1], "tree/a/b/c/file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path.appending("tree/a/link").string,
      withDestinationPath: outside.path.string)
    try DirectoryTree.remove(folder.path.appending("tree"))
    #expect(try folder.names == [])
    #expect(try outside.names == ["precious"])
    // Gone already: not an error.
    try DirectoryTree.remove(folder.path.appending("tree"))
  }

  @Test(arguments: [
    (EACCES, "no permission; choose another output folder with -o"),
    (EROFS, "its file system is read-only; choose another output folder with -o"),
    (ENOENT, "there is no such file or folder; choose another output folder with -o"),
    (ENAMETOOLONG, "the name is too long for its file system; choose another"),
    (EEXIST, "something of that name is in the way; move it away"),
  ])
  func `an error about the output says the fact and the way out`(number: CInt, fact: String) {
    let error = FileError(number: number, operation: "create", path: "/x/y").prepError(
      blame: .output)
    #expect(error.sentence.hasPrefix("cannot create /x/y: \(fact)"))
    #expect(error.code == .output)
  }

  @Test func `an error about an input has its own code and no advice`() {
    let error = FileError(number: EACCES, operation: "open", path: "/x/y").prepError(blame: .input)
    #expect(error.code == .notReadable)
    #expect(error.sentence == "cannot open /x/y: no permission")
  }
}
