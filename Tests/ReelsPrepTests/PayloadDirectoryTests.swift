import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct PayloadDirectoryTests {
  /// Makes a payload whose manifest is `text`.
  @discardableResult
  private func make(
    _ slug: String, _ text: String, in folder: Folder, overwrite: Bool = false,
    exchanging: Bool = true
  ) throws -> PayloadDirectory.Outcome {
    let payload = try PayloadDirectory.begin(
      slug: slug, in: folder.path, overwrite: overwrite, exchanging: exchanging)
    try payload.write(Array(text.utf8), as: Manifest.fileName)
    return try payload.commit()
  }

  private func manifest(_ slug: String, in folder: Folder) throws -> String {
    let path = folder.path.appending("\(slug).reel").appending(Manifest.fileName)
    return String(decoding: try FileSystem.read(path, limit: ByteCount(1 << 20)), as: UTF8.self)
  }

  @Test func `a committed payload is whole and leaves nothing else`() throws {
    let folder = try Folder()
    let outcome = try make("clip", "new", in: folder)
    #expect(outcome == .committed(folder.path.appending("clip.reel")))
    #expect(try folder.names == ["clip.reel"])
    #expect(try manifest("clip", in: folder) == "new")
  }

  @Test func `the payload has no name before it is committed`() throws {
    let folder = try Folder()
    let payload = try PayloadDirectory.begin(slug: "clip", in: folder.path, overwrite: false)
    try payload.write([1], as: "video.mp4")
    #expect(try folder.names == [".clip.reel.\(getpid()).part"])
    #expect(try PayloadDirectory.existing(slug: "clip", in: folder.path) == nil)
    _ = payload.path(for: "x")
  }

  @Test func `one that is given up leaves nothing`() throws {
    let folder = try Folder()
    do {
      let payload = try PayloadDirectory.begin(slug: "clip", in: folder.path, overwrite: false)
      try payload.write([1], as: "video.mp4")
    }
    #expect(try folder.names == [])
  }

  @Test func `the output directory is made with its parents`() throws {
    let folder = try Folder()
    let output = folder.path.appending("a/b/c")
    let payload = try PayloadDirectory.begin(slug: "clip", in: output, overwrite: false)
    try payload.write([1], as: Manifest.fileName)
    #expect(try payload.commit() == .committed(output.appending("clip.reel")))
  }

  @Test func `two jobs for one slug do not meet, and the later one finds the other's payload`()
    throws
  {
    let folder = try Folder()
    let first = try PayloadDirectory.begin(slug: "clip", in: folder.path, overwrite: false)
    let second = try PayloadDirectory.begin(slug: "clip", in: folder.path, overwrite: false)
    #expect(first.path(for: "video.mp4") != second.path(for: "video.mp4"))
    try first.write(Array("first".utf8), as: Manifest.fileName)
    try second.write(Array("second".utf8), as: Manifest.fileName)
    let path = folder.path.appending("clip.reel")
    #expect(try first.commit() == .committed(path))
    #expect(try second.commit() == .existed(path))
    #expect(try manifest("clip", in: folder) == "first")
    #expect(try folder.names == ["clip.reel"])
  }

  @Test(arguments: [true, false])
  func `overwriting replaces the payload and leaves nothing of the old one`(exchanging: Bool)
    throws
  {
    let folder = try Folder()
    try make("clip", "old", in: folder)
    try folder.write([1], "clip.reel/old.mp4")
    let outcome = try make("clip", "new", in: folder, overwrite: true, exchanging: exchanging)
    #expect(outcome == .committed(folder.path.appending("clip.reel")))
    #expect(try manifest("clip", in: folder) == "new")
    #expect(try folder.names == ["clip.reel"])
    #expect(try DirectoryTree.names(in: folder.path.appending("clip.reel")).count == 1)
  }

  @Test func `a reader always finds one whole payload while it is replaced`() throws {
    let folder = try Folder()
    // Long enough that a half-written or half-removed one would be seen.
    let texts = ["a", "b"].map { String(repeating: $0, count: 40_000) }
    try make("clip", texts[0], in: folder)
    let path = folder.path.appending("clip.reel").appending(Manifest.fileName)
    let reader = Reader(path)
    while reader.seen.isEmpty { usleep(1_000) }
    for round in 1...200 { try make("clip", texts[round % 2], in: folder, overwrite: true) }
    let seen = reader.stop()
    #expect(Set(seen.map { $0.prefix(80) }) == Set(texts.map { $0.prefix(80) }))
    #expect(seen.count == texts.count)
  }

  @Test(arguments: [true, false])
  func `several writers of one slug never fail and leave one whole payload`(exchanging: Bool)
    async throws
  {
    let folder = try Folder()
    try await withThrowingTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            try make(
              "clip", "\(writer)", in: folder, overwrite: writer > 0, exchanging: exchanging)
          }
        }
      }
      for try await _ in group {}
    }
    #expect(["0", "1", "2", "3"].contains(try manifest("clip", in: folder)))
    #expect(try folder.names == ["clip.reel"])
  }

  @Test func `what nobody works on is removed at the next start`() throws {
    let folder = try Folder()
    try folder.makeDirectory(".other.reel.4194305.part/deep")
    try folder.write([1], ".other.reel.4194305.part/deep/video.mp4")
    try folder.makeDirectory(".clip.reel.77-3.part")
    try make("clip", "new", in: folder)
    #expect(try folder.names == ["clip.reel"])
  }

  @Test func `what is held by another descriptor is left alone`() throws {
    let folder = try Folder()
    let name = ".clip.reel.4194305.part"
    try folder.makeDirectory(name)
    do {
      let live = try OpenFile.open(folder.path.appending(name), for: .directory)
      #expect(live.tryLock() == .taken)
      try make("clip", "new", in: folder)
      #expect(try folder.names == [name, "clip.reel"])
      _ = live.path
    }
    try make("other", "new", in: folder)
    #expect(try folder.names == ["clip.reel", "other.reel"])
  }

  @Test func `names that only look alike are left alone`() throws {
    let folder = try Folder()
    let names = [
      ".clip.reel.12x.part", ".clip.reel..part", ".clip.real.12.part", ".clip.reel.12.part2",
      ".reel.12.part", "clip.reel.12.part", ".clip.reel.1-2-3.part",
    ]
    for name in names { try folder.makeDirectory(name) }
    try folder.write([1], ".file.reel.12.part")
    try make("clip", "new", in: folder)
    #expect(try folder.names == (names + [".file.reel.12.part", "clip.reel"]).sorted())
  }

  @Test func `removing never leaves the directory through a symbolic link`() throws {
    let folder = try Folder()
    let outside = try Folder()
    try outside.write([1], "precious")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path.appending(".a.reel.7.part").string,
      withDestinationPath: outside.path.string)
    try folder.makeDirectory(".b.reel.7.part")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path.appending(".b.reel.7.part/link").string,
      withDestinationPath: outside.path.string)
    try make("clip", "new", in: folder)
    #expect(try folder.names == [".a.reel.7.part", "clip.reel"])
    #expect(try outside.names == ["precious"])
  }

  @Test func `an old payload that was moved aside goes back where the new one never came`() throws {
    let folder = try Folder()
    try make("clip", "old", in: folder)
    try FileSystem.rename(
      folder.path.appending("clip.reel"), to: folder.path.appending(".clip.reel.7.old"))
    try folder.makeDirectory(".clip.reel.7.part")
    let found = try PayloadDirectory.existing(slug: "clip", in: folder.path)
    #expect(found == folder.path.appending("clip.reel"))
    #expect(try manifest("clip", in: folder) == "old")
    #expect(try folder.names == ["clip.reel"])
  }

  @Test func `an old payload that was moved aside goes where the new one came`() throws {
    let folder = try Folder()
    try make("clip", "old", in: folder)
    try FileSystem.rename(
      folder.path.appending("clip.reel"), to: folder.path.appending(".clip.reel.7.old"))
    try FileSystem.makeDirectory(folder.path.appending("clip.reel"))
    try folder.write(Array("new".utf8), "clip.reel/\(Manifest.fileName)")
    try make("other", "x", in: folder)
    #expect(try manifest("clip", in: folder) == "new")
    #expect(try folder.names == ["clip.reel", "other.reel"])
  }

  @Test func `a file, a link or a foreign folder of the payload's name is a sentence and stays`()
    throws
  {
    let folder = try Folder()
    try folder.write([7], "file.reel")
    try folder.makeDirectory("folder.reel")
    try folder.write([7], "folder.reel/precious")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path.appending("link.reel").string, withDestinationPath: "folder.reel")
    let before = try folder.names
    for slug in ["file", "folder", "link"] {
      let error = #expect(throws: PrepError.self) {
        try make(slug, "new", in: folder, overwrite: true)
      }
      #expect(error?.blame == .output)
      #expect(error?.sentence.contains("\(slug).reel is") == true)
      #expect(error?.sentence.contains("in the way") == true)
      #expect(throws: PrepError.self) {
        try PayloadDirectory.existing(slug: slug, in: folder.path)
      }
    }
    #expect(try folder.names == before)
    #expect(try DirectoryTree.names(in: folder.path.appending("folder.reel")) == ["precious"])
  }

  @Test func `what gets in the way while the payload is made stays too`() throws {
    let folder = try Folder()
    let error = #expect(throws: PrepError.self) {
      let payload = try PayloadDirectory.begin(slug: "clip", in: folder.path, overwrite: true)
      try payload.write([1], as: Manifest.fileName)
      try folder.write([7], "clip.reel")
      _ = try payload.commit()
    }
    #expect(error?.sentence.contains("in the way") == true)
    #expect(try folder.names == ["clip.reel"])
  }

  @Test func `an empty folder of the payload's name is taken`() throws {
    let folder = try Folder()
    try folder.makeDirectory("clip.reel")
    #expect(try PayloadDirectory.existing(slug: "clip", in: folder.path) == nil)
    try make("clip", "new", in: folder)
    #expect(try manifest("clip", in: folder) == "new")
  }

  @Test func `an output that is a file, or is below one, is a sentence`() throws {
    let folder = try Folder()
    try folder.write([7], "file")
    for name in ["file", "file/below"] {
      let output = folder.path.appending(name)
      let error = #expect(throws: PrepError.self) {
        _ = try PayloadDirectory.begin(slug: "clip", in: output, overwrite: false)
      }
      #expect(error?.code == .output)
      #expect(error?.blame == .output)
      #expect(error?.sentence.contains("not a folder; choose another output folder") == true)
    }
  }

  @Test(.enabled(if: getuid() != 0, "root writes everywhere"))
  func `an output without permission is a sentence`() throws {
    let folder = try Folder()
    try folder.makeDirectory("locked")
    let output = folder.path.appending("locked")
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: output.string)
    let error = #expect(throws: PrepError.self) {
      _ = try PayloadDirectory.begin(slug: "clip", in: output, overwrite: false)
    }
    #expect(error?.sentence.contains("no permission; choose another") == true)
  }

  @Test(arguments: [
    "-rf", "a b", "ünï", "…", "a.reel", ".hidden", "a.reel.7", "$(x)", "*", "new\nline", "🎬",
    String(repeating: "x", count: 200),
  ])
  func `an unusual slug is made, replaced and cleaned up like any other`(slug: String) throws {
    let folder = try Folder()
    try make(slug, "old", in: folder)
    try make(slug, "new", in: folder, overwrite: true)
    #expect(try manifest(slug, in: folder) == "new")
    let name = try PayloadName(slug: slug)
    try folder.makeDirectory(name.hidden(.partial, attempt: 3).string)
    #expect(try PayloadDirectory.existing(slug: slug, in: folder.path) != nil)
    #expect(try folder.names == ["\(slug).reel"])
  }

  @Test(arguments: ["", "a/b", "../x", "a\0b", String(repeating: "x", count: 201)])
  func `a slug that cannot be a name is refused`(slug: String) throws {
    let folder = try Folder()
    #expect(throws: PrepError.self) { try make(slug, "new", in: folder) }
    #expect(try folder.names == [])
  }
}
