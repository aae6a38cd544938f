import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct ShareCheckTests {
  private func faults(_ change: (inout Share.Android) -> Void = { _ in }) throws -> [String] {
    var manifest = Sample.manifest
    manifest.files = Sample.files(sticker: "sticker.png")
    manifest.share = ShareBuilder(
      files: manifest.files, video: Sample.video(), coverTime: .zero
    ).shares(requested: "instagram-stories")
    var android = try #require(manifest.share[0].android)
    change(&android)
    manifest.share[0].android = android
    return ShareCheck(manifest: manifest).faults
  }

  @Test func `what the builder writes is sound`() throws { #expect(try faults().isEmpty) }

  @Test func `an intent carries one file, in one way`() throws {
    let expected = ["instagram-stories: an intent that carries no file, or one in two ways"]
    #expect(try faults { $0.data = nil } == expected)
    #expect(try faults { $0.stream = "video.mp4" } == expected)
    #expect(try faults { ($0.data, $0.stream) = (nil, $0.data) }.isEmpty)
  }

  @Test func `a file of an intent is in the payload and has a grant`() throws {
    #expect(
      try faults { $0.grants.removeLast() }
        == ["instagram-stories: no permission for sticker.png"])
    #expect(
      try faults {
        $0.data = "clip.mp4"
        $0.grants[0] = "clip.mp4"
      } == ["instagram-stories: clip.mp4, which is no file of it"])
  }
}
