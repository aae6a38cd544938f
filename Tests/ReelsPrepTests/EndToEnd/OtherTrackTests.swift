import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// What lies beside picture and sound is left alone, and is never taken for the video.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct OtherTrackTests {
    /// Numbered frames with sound, 6 s.
    private func source(in folder: TemporaryDirectory) throws -> URL {
      try CopyClip.make(in: folder)
    }

    private func expectVideo(_ file: URL, tracks: Int, in folder: TemporaryDirectory) async throws {
      #expect(try Probe(file).streams.count == tracks, "the source lacks a track")
      let made = try await Prepared.make(file, in: folder)
      #expect(made.isCopy(.video))
      #expect(try NumberReader.read(made.video).map(\.number) == (0..<180).map { $0 })
      #expect((made.manifest.video?.width, made.manifest.video?.height) == (320, 180))
      #expect(try NumberReader.read(made.cover).first?.number != nil)
      #expect(!SourceClip.codes(made).contains("video-tracks"))
    }

    private func still(_ name: String, in folder: TemporaryDirectory) throws -> URL {
      let file = folder.file(name)
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "color=red:s=640x640", "-frames:v", "1", file.path,
      ])
      return file
    }

    @Test(arguments: ["still.png", "still.jpg"], ["covered.mp4", "covered.mkv", "covered.m4v"])
    func `a cover is not the video`(still name: String, file: String) async throws {
      let folder = try TemporaryDirectory()
      let cover = try still(name, in: folder)
      let isMKV = file.hasSuffix("mkv")
      let type = name.hasSuffix("png") ? "png" : "jpeg"
      let covered = try SourceClip.remux(
        try source(in: folder), to: file, inputs: isMKV ? [] : ["-i", cover.path],
        isMKV
          ? [
            "-map", "0", "-c", "copy", "-attach", cover.path, "-metadata:s:t",
            "mimetype=image/\(type)",
          ]
          : [
            "-map", "1", "-map", "0", "-c", "copy", "-disposition:v:0", "attached_pic", "-f", "mp4",
          ], in: folder)
      try await expectVideo(covered, tracks: 3, in: folder)
    }

    @Test func `sound with a cover has no video`() async throws {
      let folder = try TemporaryDirectory()
      let cover = try still("still.jpg", in: folder)
      let file = folder.file("song.m4a")
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "sine=d=4", "-i", cover.path, "-map", "0", "-map", "1",
        "-c:a", "aac", "-c:v", "copy", "-disposition:v", "attached_pic", file.path,
      ])
      let error = await #expect(throws: PrepError.self) {
        try await Prepared.make(file, in: folder)
      }
      #expect(error?.code == .noVideo)
    }

    @Test func `a font is ignored`() async throws {
      let folder = try TemporaryDirectory()
      let font = folder.file("font.ttf")
      try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: font)
      let file = try SourceClip.remux(
        try source(in: folder), to: "font.mkv",
        [
          "-map", "0", "-c", "copy", "-attach", font.path, "-metadata:s:t",
          "mimetype=application/x-truetype-font",
        ], in: folder)
      try await expectVideo(file, tracks: 3, in: folder)
    }

    /// Subtitles and a track of time code, in each container's own way.
    @Test(arguments: [
      ("both.mov", ["-c:s", "mov_text", "-timecode", "01:00:00:00"], 4),
      ("subtitled.mp4", ["-c:s", "mov_text"], 3), ("subtitled.mkv", ["-c:s", "srt"], 3),
    ]) func `subtitles and time code are ignored`(
      name: String, arguments: [String], tracks: Int
    ) async throws {
      let folder = try TemporaryDirectory()
      let text = folder.file("text.srt")
      try Data("1\n00:00:01,000 --> 00:00:02,000\nHello\n\n".utf8).write(to: text)
      let file = try SourceClip.remux(
        try source(in: folder), to: name, inputs: ["-i", text.path],
        ["-map", "0", "-map", "1", "-c", "copy"] + arguments, in: folder)
      try await expectVideo(file, tracks: tracks, in: folder)
    }

    @Test func `a track of data in a transport stream is ignored`() async throws {
      let folder = try TemporaryDirectory()
      let data = folder.file("data.bin")
      try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 131) }).write(to: data)
      let file = try SourceClip.remux(
        try source(in: folder), to: "data.ts", inputs: ["-f", "data", "-i", data.path],
        ["-map", "0", "-map", "1", "-c", "copy"], in: folder)
      #expect(try Probe(file).streams.contains { $0.codecType == "data" })
      try await expectVideo(file, tracks: 3, in: folder)
    }
  }
}
