import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Sizes and numbers that no camera makes are answered at once, within bounded memory.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct HostileSizeTests {
    private func outcome(_ file: URL, in folder: TemporaryDirectory) throws -> Tool.Output {
      let start = ContinuousClock.now
      let ended = try Tool.built("reels-prep").outcome(
        [
          "-o", folder.file("out").path, "--effort", "fast", "--max-memory", "1GB", "--json",
          file.path,
        ], timeout: 60)
      #expect(ContinuousClock.now - start < .seconds(15))
      return ended
    }

    private func expectRefusal(
      _ file: URL, _ text: String, in folder: TemporaryDirectory
    ) throws {
      let ended = try outcome(file, in: folder)
      #expect(ended.status == 65, "\(ended.stderr)")
      #expect(ended.stderr.contains(text), "\(ended.stderr)")
      #expect(!folder.contents.contains { $0.hasSuffix(".reel") })
    }

    private static func word(_ value: Int) -> [UInt8] {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { [UInt8]($0) }
    }

    /// Writes over what follows `mark`, wherever it stands.
    private func patch(_ file: URL, after mark: String, by skip: Int, _ bytes: [UInt8]) throws {
      var data = try Data(contentsOf: file)
      var start = data.startIndex
      var count = 0
      while let range = data.range(of: Data(mark.utf8), in: start..<data.endIndex) {
        let place = range.upperBound + skip
        data.replaceSubrange(place..<place + bytes.count, with: bytes)
        start = place
        count += 1
      }
      #expect(count > 0, "there is no \(mark)")
      try data.write(to: file)
    }

    /// 256 million pixels in a quarter of a megabyte.
    @Test func `a picture of 16,000 by 16,000 is refused by its size`() throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        "vast.mov", picture: "testsrc2=s=64x64:r=25", ["-c:v", "png"], in: folder)
      let sides = Self.word(16_000)
      try patch(file, after: "IHDR", by: 0, sides + sides)
      try expectRefusal(file, "vast.mov is 16000x16000, more than", in: folder)
    }

    @Test(arguments: ["one.mkv", "one.gif", "one.mov"]) func `a picture of one pixel does no harm`(
      name: String
    ) async throws {
      let folder = try TemporaryDirectory()
      let raw = folder.file("raw")
      try Data(repeating: 144, count: 100).write(to: raw)
      let file = folder.file(name)
      try Tool.ffmpeg.run(
        [
          "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "1x1", "-r", "25", "-i",
          raw.path,
        ] + (name == "one.mkv" ? ["-c:v", "ffv1"] : name == "one.mov" ? ["-c:v", "png"] : [])
          + [file.path])
      let made = try await Prepared.make(file, in: folder) {
        ($0.fit, $0.canvas) = (.crop, PixelSize(width: 90, height: 160))
      }
      let color = try Picture(made.video, at: 1).mean(x: 0...1, y: 0...1)
      #expect(SourceClip.isNear(color, [144, 144, 144]), "\(color)")
    }

    @Test func `a line of pixels is refused by its shape`() throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        "line.mkv", picture: "color=red:s=2x2000:r=25", ["-c:v", "ffv1"], in: folder)
      try expectRefusal(file, "line.mkv is 2x2000, a shape that", in: folder)
    }

    /// A header that says 10^9 frames a second: its hundred frames are gone at once.
    @Test func `a billion frames a second last no time`() throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        "fast.avi", picture: "testsrc2=s=64x48:r=25", ["-c:v", "mpeg4"], in: folder)
      // Scale and rate of the stream's header, little-endian.
      try patch(file, after: "strh", by: 24, [1, 0, 0, 0, 0x00, 0xca, 0x9a, 0x3b])
      try patch(file, after: "avih", by: 4, [0, 0, 0, 0])
      try expectRefusal(file, "fast.avi lasts 0.000 s", in: folder)
    }

    /// A table of times for 10^9 frames, a table of sizes for them, or both and no table of its
    /// own.
    @Test(arguments: [["stts"], ["stsz"], ["stts", "stsz"]])
    func `a claim of a billion frames is not believed`(tables: [String]) throws {
      let folder = try TemporaryDirectory()
      let file = try CopyClip.make(tone: false, in: folder)
      if tables.contains("stts") { try patch(file, after: "stts", by: 8, Self.word(1_000_000_000)) }
      if tables == ["stsz"] { try patch(file, after: "stsz", by: 8, Self.word(1_000_000_000)) }
      if tables.count == 2 {
        // All of one size, so that no table is needed.
        try patch(file, after: "stsz", by: 4, Self.word(1) + Self.word(1_000_000_000))
      }
      let ended = try outcome(file, in: folder)
      if tables == ["stts"] {
        #expect(ended.status == 0, "\(ended.stderr)")
        let video = folder.file("out/numbered.reel/video.mp4")
        #expect(try NumberReader.read(video).map(\.number) == (0..<180).map { $0 })
      } else {
        #expect(ended.status == 65, "\(ended.stderr)")
        #expect(!folder.contents.contains { $0.hasSuffix(".reel") })
      }
    }
  }
}
