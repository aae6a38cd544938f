import Foundation
import ReelsModel
import ReelsShare
import TestSupport
import Testing

@testable import ReelsPrep

/// A payload made in a test, with its files as URLs.
struct Prepared {
  let payload: Payload
  let directory: URL

  var video: URL { directory.appending(path: "video.mp4") }
  var cover: URL { directory.appending(path: "cover.jpg") }
  var manifest: Manifest { payload.manifest }

  /// Prepares `input` into a folder of the test's own, and looks at what came out as its user will:
  /// by tools that are not ours, and by the code that hands it over.
  ///
  /// - Parameter isChecked: false spares the tools' time where the like was checked already.
  static func make(
    _ input: URL, in folder: TemporaryDirectory, slug: String = "payload", isChecked: Bool = true,
    _ change: (inout Request) -> Void = { _ in }
  ) async throws -> Prepared {
    var request = Request(
      input: FilePath(input.path), outputDirectory: FilePath(folder.url.path), slug: slug,
      effort: .fast)
    change(&request)
    let payload = try await ReelsPrep().prepare(request)
    // Nothing but what the manifest names: no passes, no parts.
    let found = try FileManager.default.contentsOfDirectory(atPath: payload.path.string)
    #expect(Set(found) == Set(payload.manifest.files.map(\.name) + ["payload.json"]))
    let made = Prepared(payload: payload, directory: URL(filePath: payload.path.string))
    // Hashing is slow in a build for debugging: small ones tell as much.
    if isChecked, payload.manifest.files.reduce(0, { $0 + $1.bytes }) < 500_000 {
      _ = try SharePayload(contentsOf: made.directory)
    }
    if isChecked, request.preset == "reels" {
      let isCopy = made.isCopy(.video)
      #expect(try IndependentCheck(isCopy: isCopy).problems(in: made.video) == [])
    }
    return made
  }

  /// Whether this stream's packets are the source's own.
  func isCopy(_ stream: Plan.Step.Stream) -> Bool {
    manifest.steps.contains { $0.stream == stream && $0.action == .copy }
  }
}

/// A small generator with a seed, so that a failure can be repeated (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
