import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Real files: each gives a payload that independent tools accept, or one true sentence.
  @Suite(
    .enabled(if: Corpus.directory != nil, "needs the corpus beside the package or in REELS_CORPUS"),
    .enabled(if: Tool.ffmpeg.isAvailable, "needs ffprobe and mediainfo"))
  struct CorpusTests {
    static let videos = Corpus.files.filter { $0.category != "sticker" }

    @Test("A real file gives a sound payload or a sentence", arguments: videos)
    func payloadOrSentence(file: Corpus.File) async throws {
      let folder = try TemporaryDirectory()
      do {
        // Four seconds tell as much of the path as sixty, in a tenth of the time.
        let made = try await Prepared.make(file.url, in: folder, isChecked: false) {
          $0.duration = MediaTime(seconds: 4)
        }
        let isCopy = made.manifest.steps.contains { $0.stream == .video && $0.action == .copy }
        #expect(try IndependentCheck(isCopy: isCopy).problems(in: made.video) == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names == ["payload.reel"])
      } catch let error as PrepError {
        #expect(error.blame == .input, "\(error)")
        #expect(error.sentence.contains(file.url.lastPathComponent))
        #expect(!error.sentence.contains("\n"))
        if file.decodes { try expectTrue(error, of: file) }
        // Nothing is left behind.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.isEmpty, "\(names)")
      }
    }

    /// A file that ffmpeg decodes is refused only for what it is: too short, or without a picture.
    private func expectTrue(_ error: PrepError, of file: Corpus.File) throws {
      switch error.code {
      case .noVideo: #expect(!file.probe.contains("v:"))
      case .tooShort:
        let probe = try Probe(file.url, packets: true)
        let video = try #require(probe.streams(of: "video").first)
        let packets = probe.packets(of: video)
        let times = packets.compactMap { $0.pts ?? $0.dts }.sorted()
        let first = try #require(times.first)
        let last = try #require(times.last)
        let end = last + (packets.last?.duration ?? 0)
        let seconds = video.time(end - first)
        #expect(seconds < MediaTime(seconds: Ratio(301, 100)), "\(error)")
      default: Issue.record("\(file) decodes, but: \(error)")
      }
    }
  }
}
