import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// What cannot be used is told in a sentence of its own.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct SentenceTests {
    private func refusal(_ file: URL, in folder: TemporaryDirectory) async throws -> PrepError? {
      let before = folder.contents
      let error = await #expect(throws: PrepError.self) {
        try await Prepared.make(file, in: folder)
      }
      #expect(folder.contents == before, "something was left behind")
      return error
    }

    private func plain(
      _ name: String, in folder: TemporaryDirectory, _ arguments: [String] = []
    ) throws -> URL {
      let file = folder.file(name)
      try Tool.ffmpeg.run(
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=4", "-f", "lavfi", "-i",
          "sine=d=4", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a",
          "aac",
        ] + arguments + [file.path])
      return file
    }

    @Test(arguments: [false, true]) func `an encrypted file is called that`(
      keepsHeader: Bool
    ) async throws {
      let folder = try TemporaryDirectory()
      let key = String(repeating: "ab", count: 16)
      let file = try plain(
        "secret.mp4", in: folder,
        [
          "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", key, "-encryption_kid", key,
        ])
      if !keepsHeader { try PacketPatch.rename("pssh", to: "free", in: file) }
      let error = try await refusal(file, in: folder)
      #expect(error?.code == .undecodable)
      #expect(error?.sentence.contains("encrypted (DRM)") == true, "\(error?.sentence ?? "")")
    }

    @Test(arguments: ["vvc1", "zzzz"]) func `a codec that nobody knows is named`(
      tag: String
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try plain("odd.mp4", in: folder)
      #expect(try PacketPatch.rename("avc1", to: tag, in: file) > 0)
      try PacketPatch.rename("avcC", to: "xxxx", in: file)
      let error = try await refusal(file, in: folder)
      #expect(error?.sentence.contains("is in \(tag)") == true, "\(error?.sentence ?? "")")
    }

    @Test func `sound in a codec that nobody knows is named and left out`() async throws {
      let folder = try TemporaryDirectory()
      let file = try plain("apac.mp4", in: folder)
      #expect(try PacketPatch.rename("mp4a", to: "apac", in: file) > 0)
      try PacketPatch.rename("esds", to: "xxxx", in: file)
      let made = try await Prepared.make(file, in: folder)
      let warning = made.manifest.warnings.first { $0.code == "audio-undecodable" }
      #expect(warning?.sentence.contains("audio track 1 (apac) cannot") == true)
      #expect(made.manifest.warnings.contains { $0.code == "no-sound" })
    }

    @Test(arguments: [
      ("list.m3u8", "#EXTM3U\n#EXTINF:4,\nplain.ts\n#EXT-X-ENDLIST\n"),
      ("list.ffconcat", "ffconcat version 1.0\nfile plain.mp4\n"),
      (
        "list.mpd",
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" profiles=\"urn:mpeg:dash:profile:isoff-main:2011\" type=\"static\"></MPD>"
      ),
    ]) func `a list of other files is not followed`(name: String, text: String) async throws {
      let folder = try TemporaryDirectory()
      _ = try plain("plain.mp4", in: folder)
      _ = try plain("plain.ts", in: folder)
      let file = folder.file(name)
      try Data(text.utf8).write(to: file)
      let error = try await refusal(file, in: folder)
      #expect(error?.code == .notMedia)
      #expect((error?.sentence.count ?? 1_000) < 250, "\(error?.sentence ?? "")")
    }

    @Test func `an animated WebP is no still picture`() async throws {
      let folder = try TemporaryDirectory()
      let file = folder.file("moving.webp")
      // RIFF, WEBP, VP8X with the flag of animation, and a frame's header.
      var bytes =
        Array("RIFF".utf8) + [74, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 2, 0, 0, 0]
      bytes += [15, 0, 0, 15, 0, 0] + Array("ANIM".utf8) + [6, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      bytes += Array("ANMF".utf8) + [24, 0, 0, 0] + [UInt8](repeating: 0, count: 24)
      try Data(bytes).write(to: file)
      let error = try await refusal(file, in: folder)
      #expect(error?.sentence.contains("animated WebP") == true, "\(error?.sentence ?? "")")
    }

    @Test func `a still, and sound alone, are called what they are`() async throws {
      let folder = try TemporaryDirectory()
      let still = folder.file("still.png")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x96", "-frames:v", "1", still.path,
      ])
      #expect(try await refusal(still, in: folder)?.code == .stillImage)
      let sound = folder.file("sound.m4a")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "sine=d=4", "-c:a", "aac", sound.path,
      ])
      let error = try await refusal(sound, in: folder)
      #expect(error?.code == .noVideo)
      #expect(error?.sentence.contains("sound but no video") == true)
    }

    /// A picture of 1 GB in the metadata, of which the file holds nothing.
    @Test func `metadata beyond all measure is bounded`() async throws {
      let folder = try TemporaryDirectory()
      let file = try plain("cover.mp4", in: folder, ["-movflags", "+faststart"])
      let result = try Tool.built("reels-prep").outcome([
        file.path, "-o", folder.file("out").path, "--max-memory", "256MB", "--effort", "fast",
        "--json",
      ])
      #expect(result.status == 0, "\(result.stderr)")
      try Self.addCover(bytes: 1_000_000_000, to: file)
      let refused = try Tool.built("reels-prep").outcome([
        file.path, "-o", folder.file("none").path, "--max-memory", "256MB", "--json",
      ])
      #expect(refused.status == 65, "\(refused.stderr)")
      #expect(refused.stderr.contains("more memory than there is for it"), "\(refused.stderr)")
    }

    /// 4K takes more than this in its decoder and encoders: that is no damage, and no bug.
    @Test func `a picture too large for the memory allowed is told so`() throws {
      let folder = try TemporaryDirectory()
      let file = folder.file("large.mp4")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=3840x2160:r=30:d=3.2", "-c:v", "libx264",
        "-preset", "ultrafast", "-pix_fmt", "yuv420p", file.path,
      ])
      // Decoders and encoders fail in ways of their own, each at another size.
      for limit in [256, 400, 550, 700] {
        let out = folder.file("out\(limit)")
        let ended = try Tool.built("reels-prep").outcome([
          file.path, "-o", out.path, "--max-memory", "\(limit)MB",
        ])
        if limit > 256, ended.status == 0 { continue }
        #expect(ended.status == 65, "\(limit) MB: \(ended.stderr)")
        #expect(ended.stderr.contains("--max-memory allows more"), "\(limit) MB: \(ended.stderr)")
        #expect(!folder.contents.contains { $0.hasPrefix("out\(limit)/") && $0.hasSuffix(".reel") })
      }
    }

    /// Adds a `covr` of as many zeroes to the end of `moov`, which is brought to the file's end.
    private static func addCover(bytes count: Int, to file: URL) throws {
      var data = try Data(contentsOf: file)
      func word(_ value: Int) -> Data {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Data($0) }
      }
      func box(_ name: String, size: Int) -> Data { word(size) + Data(name.utf8) }
      let moov = try #require(data.range(of: Data("moov".utf8))).lowerBound - 4
      let size = data[moov..<moov + 4].reduce(0) { $0 << 8 | Int($1) }
      var copy = Data(data[moov..<moov + size])
      data.replaceSubrange(moov + 4..<moov + 8, with: Data("free".utf8))
      // meta is a full box with a handler of mdir.
      let handler =
        word(33) + Data("hdlr".utf8) + word(0) + word(0) + Data("mdirappl".utf8) + Data(count: 9)
      let header =
        box("udta", size: 8 + 12 + handler.count + 8 + 8 + 16 + count)
        + box("meta", size: 12 + handler.count + 8 + 8 + 16 + count) + word(0) + handler
        + box("ilst", size: 8 + 8 + 16 + count) + box("covr", size: 8 + 16 + count)
        + box("data", size: 16 + count) + word(13) + word(0)
      copy += header
      copy.replaceSubrange(0..<4, with: word(copy.count + count))
      try (data + copy).write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: UInt64(data.count + copy.count + count))
      try handle.close()
    }
  }
}
