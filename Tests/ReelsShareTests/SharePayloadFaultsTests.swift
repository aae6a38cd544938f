import Foundation
import ReelsModel
import Testing

@testable import ReelsShare

/// Payloads that are not what they say.
@Suite struct SharePayloadFaultsTests {
  private func sample() throws -> SamplePayload {
    try SamplePayload(SamplePayload.files, share: [SamplePayload.reels])
  }

  private func error(of sample: SamplePayload) -> ShareError? {
    #expect(throws: ShareError.self) { try sample.open() }
  }

  @Test func `a sound payload opens`() throws {
    #expect(try sample().open().manifest.files.count == 3)
  }

  @Test func `a directory without a manifest, and no directory`() throws {
    let sample = try sample()
    try FileManager.default.removeItem(
      at: sample.url.appendingPathComponent(Manifest.fileName))
    #expect(error(of: sample)?.code == .unreadable)
    try FileManager.default.removeItem(at: sample.url)
    #expect(error(of: sample)?.code == .unreadable)
  }

  @Test(arguments: ["", "{", "[]", "{\"formatVersion\":\"1\"}", "{\"formatVersion\":1}"])
  func `a manifest that is none`(text: String) throws {
    let sample = try sample()
    try Data(text.utf8).write(to: sample.url.appendingPathComponent(Manifest.fileName))
    #expect(error(of: sample)?.code == .badManifest)
  }

  @Test func `another format version, whatever else it holds`() throws {
    let sample = try sample()
    try Data("{\"formatVersion\":2}".utf8).write(
      to: sample.url.appendingPathComponent(Manifest.fileName))
    #expect(error(of: sample)?.code == .unsupportedVersion)
  }

  @Test(arguments: [
    "", ".", "..", "../secret", "/etc/passwd", "a/b", "a\\b", "..\\x", "C:x", ".hidden", "a\0b",
    "a\nb", "\u{202E}b",
  ])
  func `a name that may leave the directory`(name: String) throws {
    let sample = try sample()
    sample.manifest.files[0].name = name
    try sample.writeManifest()
    #expect(error(of: sample)?.code == .unsafeFile)
  }

  @Test func `a link, a folder and a link to the payload's own file`() throws {
    for replace in [
      { (url: URL) in
        try FileManager.default.createSymbolicLink(
          atPath: url.path, withDestinationPath: "/etc/hosts")
      },
      { url in
        try FileManager.default.createSymbolicLink(
          atPath: url.path, withDestinationPath: "cover.jpg")
      },
      { url in
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      },
    ] {
      let sample = try sample()
      let url = sample.url.appendingPathComponent("video.mp4")
      try FileManager.default.removeItem(at: url)
      try replace(url)
      #expect(error(of: sample)?.code == .unsafeFile)
    }
  }

  @Test func `a file that is gone, shorter, longer, or of other bytes`() throws {
    let sample = try sample()
    let url = sample.url.appendingPathComponent("video.mp4")
    var other = SamplePayload.video
    other[4_999] ^= 1
    for data in [other, other.dropLast(), other + [0], Data()] {
      try data.write(to: url)
      #expect(error(of: sample)?.code == .wrongFile)
    }
    try FileManager.default.removeItem(at: url)
    #expect(error(of: sample)?.code == .unreadable)
  }

  @Test func `an empty file is an error even if the manifest says so`() throws {
    let sample = try SamplePayload(["video.mp4": Data()], share: [SamplePayload.stories])
    #expect(error(of: sample)?.code == .wrongFile)
  }

  @Test func `a file named twice, and one that is shared and not listed`() throws {
    let twice = try sample()
    twice.manifest.files.append(twice.manifest.files[0])
    try twice.writeManifest()
    #expect(error(of: twice)?.code == .badManifest)
    let unlisted = try sample()
    unlisted.manifest.files.removeAll { $0.name == "sticker.png" }
    try unlisted.writeManifest()
    #expect(error(of: unlisted)?.sentence.contains("sticker.png") == true)
  }

  @Test func `an error's sentence is one line`() throws {
    let sample = try sample()
    sample.manifest.files[0].name = "a\nb/../c"
    try sample.writeManifest()
    #expect(error(of: sample)?.sentence.contains("\n") == false)
  }
}
