internal import Foundation
internal import ReelsModel
internal import ReelsPrep
internal import Testing

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

@Suite struct `Finding inputs` {
  private static func find(
    _ names: [String], in folder: TemporaryFolder, output: String = "out"
  ) throws -> Inputs {
    try Inputs.find(names.map { folder.path($0) }, outputDirectory: folder.path(output))
  }

  private static func names(_ inputs: Inputs, in folder: TemporaryFolder) -> [String] {
    inputs.items.map { String($0.path.string.dropFirst(folder.url.path.count + 1)) }
  }

  private static func link(_ name: String, to target: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name).string, withDestinationPath: target)
  }

  @Test func `a folder is searched by content, in the order of the paths' bytes`() throws {
    let folder = try TemporaryFolder()
    for name in ["b.txt", "B.mov", "a/z.dat", "a.mov", "a-b.mkv", "c/d/e/f"] {
      try folder.write(Head.mp4, to: "in/" + name)
    }
    try folder.write("words", to: "in/words.txt")
    let inputs = try Self.find(["in"], in: folder)
    #expect(
      Self.names(inputs, in: folder) == [
        "in/B.mov", "in/a-b.mkv", "in/a.mov", "in/a/z.dat", "in/b.txt", "in/c/d/e/f",
      ])
    #expect(inputs.items.allSatisfy { !$0.isNamed })
    #expect(inputs.passedOver.others == 1)
    #expect(inputs.failures.isEmpty)
  }

  @Test func `stills, sounds, hidden names, payloads and the output are passed over`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.jpeg, to: "in/still.mov")
    try folder.write(Head.mp3, to: "in/sound.mp4")
    try folder.write(Head.mp4, to: "in/.hidden.mov")
    try folder.write(Head.mp4, to: "in/.folder/clip.mov")
    try folder.write(Head.mp4, to: "in/done.reel/video.mp4")
    try folder.write(Head.mp4, to: "in/out/video.mp4")
    try folder.write("", to: "in/empty.mov")
    let inputs = try Self.find(["in"], in: folder, output: "in/out")
    #expect(inputs.items.isEmpty)
    #expect(inputs.failures.isEmpty)
    let passed = inputs.passedOver
    #expect(passed.stills == 1 && passed.sounds == 1 && passed.others == 1)
    #expect(passed.hidden == 2 && passed.payloads == 2)
    #expect(passed.nonVideos == 3)
  }

  @Test func `the output directory is searched where it is named itself`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "in/clip.mov")
    let inputs = try Self.find(["in"], in: folder, output: "in")
    #expect(Self.names(inputs, in: folder) == ["in/clip.mov"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `links are followed once, and loops end`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "in/z/clip.mov")
    try folder.write(Head.mp4, to: "elsewhere/far.mov")
    try Self.link("in/z/loop", to: "..", in: folder)
    try Self.link("in/a", to: "z", in: folder)
    try Self.link("in/again.mov", to: "z/clip.mov", in: folder)
    try Self.link("in/far", to: "../elsewhere", in: folder)
    try Self.link("in/far2", to: "../elsewhere", in: folder)
    try Self.link("in/nowhere.mov", to: "missing", in: folder)
    try Self.link("in/self", to: "self", in: folder)
    let inputs = try Self.find(["in"], in: folder)
    #expect(Self.names(inputs, in: folder) == ["in/far/far.mov", "in/z/clip.mov"])
    #expect(inputs.failures.isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func `pipes and sockets are never opened, and fail where they are named`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "in/clip.mov")
    #expect(mkfifo(folder.path("in/pipe.mov").string, 0o600) == 0)
    let inputs = try Self.find(["in", "in/pipe.mov"], in: folder)
    #expect(Self.names(inputs, in: folder) == ["in/clip.mov"])
    #expect(inputs.passedOver.others == 1)
    #expect(inputs.failures.map(\.code) == ["not-a-file"])
    #expect(inputs.failures.first?.sentence.contains("pipe") == true)
  }

  @Test func `a named file is taken for whatever it is, also hidden`() throws {
    let folder = try TemporaryFolder()
    try folder.write("words", to: "words.txt")
    try folder.write(Head.mp4, to: ".hidden.mov")
    let inputs = try Self.find(["words.txt", ".hidden.mov"], in: folder)
    #expect(inputs.items.map(\.isNamed) == [true, true])
    #expect(inputs.items.map(\.slug) == ["words", "_hidden"])
  }

  @Test func `what is missing fails in one sentence, and the others go on`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "clip.mov")
    let inputs = try Self.find(["missing.mov", "clip.mov", "clip.mov/inside"], in: folder)
    #expect(Self.names(inputs, in: folder) == ["clip.mov"])
    #expect(inputs.failures.map(\.code) == ["not-found", "not-a-file"])
    #expect(
      inputs.failures.allSatisfy { $0.blame == .input && $0.sentence.contains($0.input.string) })
  }

  @Test func `a finished payload is refused, and a folder that is only named like one is not`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "done.reel/payload.json")
    try folder.write(Head.mp4, to: "done.reel/video.mp4")
    try folder.write(Head.mp4, to: "movie.reel/clip.mov")
    let inputs = try Self.find(["done.reel", "movie.reel"], in: folder)
    #expect(Self.names(inputs, in: folder) == ["movie.reel/clip.mov"])
    #expect(inputs.failures.first?.sentence.contains("finished payload") == true)
  }

  @Test func `one file reached by several names is done once, at its first place`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "in/b.mov")
    try folder.write(Head.mp4 + [1], to: "in/c.mov")
    try FileManager.default.linkItem(
      atPath: folder.path("in/b.mov").string, toPath: folder.path("in/a.mov").string)
    let inputs = try Self.find(["in/c.mov", "in", "in/b.mov", "in/./c.mov"], in: folder)
    #expect(Self.names(inputs, in: folder) == ["in/c.mov", "in/a.mov"])
    #expect(inputs.items.map(\.isNamed) == [true, true])
    #expect(inputs.passedOver.repeated == 4)
  }

  @Test func `a search that is cancelled ends`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "in/clip.mov")
    #expect(throws: CancellationError.self) {
      try Inputs.find([folder.path("in")], outputDirectory: nil) { true }
    }
  }
}
