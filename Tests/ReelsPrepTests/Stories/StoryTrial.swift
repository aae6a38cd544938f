import Foundation
import ReelsModel
import ReelsShare
import TestSupport
import Testing

@testable import ReelsPrep

/// A story without a video, made in a test and looked at as its user will.
struct StoryTrial {
  let payload: Payload
  let directory: URL
  var manifest: Manifest { payload.manifest }

  /// - Throws: what `prepare` throws; then nothing may be left.
  static func make(
    _ input: URL, in folder: TemporaryDirectory, slug: String = "story",
    _ change: (inout Request) -> Void = { _ in }
  ) async throws -> StoryTrial {
    var request = Request(
      input: input.filePath, outputDirectory: folder.file("out").filePath, slug: slug)
    request.preset = "stories"
    change(&request)
    let payload: Payload
    do {
      payload = try await ReelsPrep().prepare(request)
    } catch {
      let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.file("out").path))
      #expect(left ?? [] == [])
      throw error
    }
    let made = StoryTrial(payload: payload, directory: URL(filePath: payload.path.string))
    let found = try FileManager.default.contentsOfDirectory(atPath: payload.path.string)
    #expect(Set(found) == Set(payload.manifest.files.map(\.name) + ["payload.json"]))
    let report = try await Check().run(payload.path)
    #expect(report.failures.isEmpty, "\(report.failures)")
    return made
  }

  /// What the app that shares puts on the pasteboard, its one item.
  func item() throws -> [String: PasteboardValue] {
    let handOff = try SharePayload(contentsOf: directory).handOff(
      to: .instagramStories, appID: "42")
    #expect(handOff.url.absoluteString == "instagram-stories://share?source_application=42")
    #expect(handOff.items.count == 1)
    return try #require(handOff.items.first)
  }

  func data(_ name: String) throws -> PasteboardValue {
    .bytes(try Data(contentsOf: directory.appending(path: name)))
  }

  var share: Share? { manifest.share.first { $0.destination == "instagram-stories" } }

  /// Red, green and blue at shares of the sides of the background, decoded by the ffmpeg command.
  func color(_ x: Double, _ y: Double) throws -> [Int] {
    let file = try #require(manifest.background?.file)
    let size = try #require(manifest.background?.size)
    let pixels = try Tool.ffmpeg.run([
      "-v", "error", "-i", directory.appending(path: file).path, "-vf",
      "scale=flags=accurate_rnd+full_chroma_int,format=rgb24", "-f", "rawvideo", "-",
    ]).stdout
    #expect(pixels.count == size.area * 3)
    let at = Int(y * Double(size.height)) * size.width + Int(x * Double(size.width))
    return pixels[(pixels.startIndex + at * 3)...].prefix(3).map(Int.init)
  }

  // MARK: Pictures

  static let (red, green, blue, white): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
    [200, 30, 30], [30, 200, 30], [30, 30, 200], [220, 220, 220]
  )

  /// Red and green above, blue and white below.
  static func quarters(_ width: Int, _ height: Int, before: [UInt8] = []) -> [UInt8] {
    StickerBytes.png(width, height, before: before) { x, y in
      y < height / 2 ? (x < width / 2 ? red : green) : x < width / 2 ? blue : white
    }
  }

  static func isNear(_ found: [Int], _ wanted: [UInt8], within steps: Int = 3) -> Bool {
    StickerTrial.isNear(found, wanted.map(Int.init), within: steps)
  }
}
