import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Who made a video, where and when stays with the source, copied or encoded.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct MetadataTests {
    /// Each is in the source's bytes, and in none of the payload's.
    static let secrets = [
      "+48.8577+002.2950/", "Acme", "PhoneX-9", "Bob's recorder", "SecretTitle", "At home",
      "AuthorBob", "2024-01-02",
    ]

    /// A phone's video with everything that a container can tell.
    private func clip(_ name: String, in folder: TemporaryDirectory) throws -> URL {
      let chapters = folder.file("chapters.txt")
      try Data(
        """
        ;FFMETADATA1
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=2000
        title=At home

        """.utf8
      ).write(to: chapters)
      let plain = try SourceClip.make(
        "plain.mp4", sounds: ["sine=r=48000"], SourceClip.copyable, in: folder)
      var tags: [String] = []
      for (key, value) in [
        ("location", Self.secrets[0]), ("make", Self.secrets[1]), ("model", Self.secrets[2]),
        ("title", Self.secrets[4]), ("artist", Self.secrets[6]), ("date", Self.secrets[7]),
        ("com.apple.quicktime.location.ISO6709", Self.secrets[0]),
        ("com.apple.quicktime.make", Self.secrets[1]), ("creation_time", "2024-01-02T03:04:05Z"),
      ] { tags += ["-metadata", "\(key)=\(value)"] }
      let kept = name.hasSuffix("mp4") ? ["-movflags", "use_metadata_tags"] : []
      return try SourceClip.remux(
        plain, to: name, inputs: ["-f", "ffmetadata", "-i", chapters.path],
        ["-map", "0", "-map_chapters", "1", "-c", "copy"] + tags
          + ["-metadata:s", "handler_name=\(Self.secrets[3])"] + kept, in: folder)
    }

    @Test(arguments: ["phone.mov", "phone.mp4", "phone.mkv"], [false, true])
    func `nothing that tells of a person is left`(name: String, reencode: Bool) async throws {
      let folder = try TemporaryDirectory()
      let file = try clip(name, in: folder)
      let source = try Data(contentsOf: file)
      let written = Self.secrets.filter { source.range(of: Data($0.utf8)) != nil }
      #expect(written.count >= 6, "the source has only \(written)")

      let made = try await Prepared.make(file, in: folder) { $0.reencode = reencode }
      #expect(made.isCopy(.video) != reencode)
      for part in try FileManager.default.contentsOfDirectory(atPath: made.directory.path) {
        let bytes = try Data(contentsOf: made.directory.appending(path: part))
        let found = Self.secrets.filter { bytes.range(of: Data($0.utf8)) != nil }
        #expect(found == [], "in \(part)")
        // Nor where on this machine it lay.
        #expect(bytes.range(of: Data(folder.url.path.utf8)) == nil, "in \(part)")
      }
      try expectNoTimes(made.video)
      let cover = try Data(contentsOf: made.cover)
      #expect(cover.range(of: Data("Exif".utf8)) == nil)
      let chapters = try Tool.ffprobe.run([
        "-v", "error", "-show_chapters", "-of", "csv=p=0", made.video.path,
      ]).text
      #expect(chapters == "")
      for track in try Probe(made.video).streams {
        #expect(["VideoHandler", "SoundHandler"].contains(track.tags?["handler_name"] ?? ""))
      }
    }

    /// The times of making and of changing are both 0.
    private func expectNoTimes(_ video: URL) throws {
      let boxes = try BoxOracle(video)
      for path in ["moov/mvhd", "moov/trak/tkhd", "moov/trak/mdia/mdhd"] {
        #expect(!boxes.all(path).isEmpty)
        for box in boxes.all(path) {
          #expect(boxes.word(box, at: 4) == 0 && boxes.word(box, at: 8) == 0, "\(box)")
        }
      }
    }
  }
}
