import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// The same request gives the same bytes, whatever runs beside it.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct DeterminismTests {
    /// Names, sizes and digests, without what differs between two runs.
    private static func files(_ request: Request) async throws -> [Manifest.File] {
      try await ReelsPrep().prepare(request).manifest.files
    }

    @Test(arguments: [false, true]) func `two at a time make the same bytes as one`(
      isCopied: Bool
    ) async throws {
      let folder = try TemporaryDirectory()
      let file = try SourceClip.make(
        "source.mkv", picture: "testsrc2=s=320x180:r=30,noise=alls=20:allf=t",
        sounds: ["sine=r=44100"],
        isCopied ? SourceClip.copyable : ["-c:v", "mpeg4", "-q:v", "2", "-c:a", "libmp3lame"],
        in: folder)
      func request(_ slug: String, threads: Int?) -> Request {
        var request = Request(
          input: FilePath(file.path), outputDirectory: FilePath(folder.url.path), slug: slug,
          effort: .fast, threads: threads)
        // Small enough for the budget to bind, so that rates are chosen too.
        request.maxSize = isCopied ? nil : ByteCount(400_000)
        return request
      }
      let alone = try await Self.files(request("alone", threads: 1))
      let requests = [request("one", threads: nil), request("two", threads: 2)]
      let together = try await withThrowingTaskGroup(of: [Manifest.File].self) { group in
        for request in requests { group.addTask { try await Self.files(request) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(alone.contains { $0.name == "video.mp4" })
      #expect(together == [alone, alone])
    }
  }
}
