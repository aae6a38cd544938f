import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// What is no video at all has its own sentence and exit code, quickly, and leaves nothing.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct NoMediaTests {
    /// Runs the command on one input and expects a refusal that blames it.
    private func sentence(
      of input: URL, exit: Int32 = 65, in folder: TemporaryDirectory
    ) throws -> String {
      let output = folder.file("out")
      let start = ContinuousClock.now
      let ended = try Tool.built("reels-prep").outcome(
        ["-o", output.path, "--effort", "fast", "--", input.path], timeout: 60)
      #expect(ContinuousClock.now - start < .seconds(10))
      #expect(ended.status == exit, "\(ended.stderr)")
      #expect(ended.stdout.isEmpty)
      let left = (try? FileManager.default.contentsOfDirectory(atPath: output.path)) ?? []
      #expect(left.isEmpty, "\(left)")
      let lines = ended.stderr.split(separator: "\n")
      #expect(lines.count == 1, "\(ended.stderr)")
      #expect(ended.stderr.contains(input.lastPathComponent))
      return ended.stderr
    }

    private static func noise(_ count: Int) -> Data {
      var generator = SeededGenerator(state: 5)
      return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    @Test(arguments: [
      ("random.mp4", noise(100_000)), ("text.mp4", Data("This is a letter.\n".utf8)),
      ("zeroes.mp4", Data(count: 100_000)), ("few.mp4", Data(count: 12)),
      ("head.avi", Data("RIFF\0\0\0\0AVI LIST".utf8)), ("head.ogv", Data("OggS".utf8)),
      ("head.mkv", Data([0x1a, 0x45, 0xdf, 0xa3, 0x80])),
      ("head.ts", Data([0x47, 0x40, 0x11, 0x10]) + Data(repeating: 0xff, count: 184)),
    ]) func `what is no media is called that`(name: String, bytes: Data) throws {
      let folder = try TemporaryDirectory()
      let file = folder.file(name)
      try bytes.write(to: file)
      let sentence = try sentence(of: file, in: folder)
      #expect(sentence.contains("\(name) is not a video that FFmpeg can read"), "\(sentence)")
    }

    @Test func `nothing is called empty`() throws {
      let folder = try TemporaryDirectory()
      let file = folder.file("nothing.mp4")
      try Data().write(to: file)
      #expect(try sentence(of: file, in: folder).contains("nothing.mp4 is empty (0 bytes)"))
    }

    @Test func `a file that is not there is said to be that`() throws {
      let folder = try TemporaryDirectory()
      #expect(
        try sentence(of: folder.file("away.mp4"), in: folder)
          .contains("away.mp4: there is no such file or folder"))
    }

    /// A header without what it announces.
    @Test func `only a header is told by what is missing`() throws {
      let folder = try TemporaryDirectory()
      let whole = try CopyClip.make(in: folder)
      let index = try #require(try BoxOracle(whole).all("moov").first).range.lowerBound
      try BoxPatch.truncate(whole, to: index)
      let sentence = try sentence(of: whole, in: folder)
      #expect(sentence.contains("moov atom not found"), "\(sentence)")
    }

    /// The tables of a fragmented file, and no fragment.
    @Test func `tables without a sample are told by what is missing`() throws {
      let folder = try TemporaryDirectory()
      let whole = try CopyClip.make(
        extra: ["-movflags", "frag_keyframe+empty_moov"], in: folder)
      let first = try #require(try BoxOracle(whole).all("moof").first).range.lowerBound
      try BoxPatch.truncate(whole, to: first)
      let sentence = try sentence(of: whole, in: folder)
      #expect(!sentence.contains("no video track"), "\(sentence)")
      #expect(
        sentence.contains("not one frame of it can be decoded") || sentence.contains("no frames"),
        "\(sentence)")
    }

    /// root reads everything.
    @Test(.enabled(if: getuid() != 0, "root may read every file"))
    func `what may not be read is said`()
      throws
    {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(in: folder)
      let locked = folder.file("locked")
      try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: false)
      try FileManager.default.moveItem(at: file, to: locked.appending(path: "clip.mp4"))
      chmod(locked.path, 0)
      defer { chmod(locked.path, 0o700) }
      #expect(try sentence(of: locked, in: folder).lowercased().contains("permission"))
    }
  }
}
