import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

/// What the documentation gives to paste is what the doctor finds nothing in, and what `payload.json`
/// holds.
@Suite(.timeLimit(.minutes(1))) struct DocumentedSnippetsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func blocks(_ language: String, of page: String) throws -> [String] {
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
  }

  @Test func `the Info.plist of the article is sound`() throws {
    let page = "Sources/ReelsShare/ReelsShare.docc/FromPayloadToReels.md"
    let block = try #require(try blocks("xml", of: page).first)
    #expect(try DoctorSample.findings(DoctorSample.plist(block)).isEmpty)
  }

  @Test func `the manifest and the paths of the page on Android are sound`() throws {
    let blocks = try blocks("xml", of: "docs/android.md")
    #expect(blocks.count == 2)
    let folder = try Folder()
    try FileSystem.makeDirectories(folder.path.appending("res/xml"))
    try folder.write(Array(blocks[0].utf8), "AndroidManifest.xml")
    try folder.write(Array(blocks[1].utf8), "res/xml/file_paths.xml")
    let report = try Doctor().run(folder.path)
    #expect(report.findings.isEmpty, "\(report.findings)")
    #expect(report.files.count == 2)
  }

  @Test func `the code on Android reads keys that a manifest has`() throws {
    let code = try #require(try blocks("kotlin", of: "docs/android.md").first)
    let sticker = Share.Item.file("sticker.png")
    let share = Share(
      destination: "d",
      android: Share.Android(
        action: "a", package: "p", type: "t", data: "video.mp4", stream: "video.mp4",
        extras: ["k": sticker, "l": .text("x"), "m": .appSupplies("appID")], grants: ["video.mp4"]),
      refused: [Share.Refusal(rule: .duration, because: "b")])
    let json = String(decoding: try JSONEncoder().encode(share), as: UTF8.self)
    let keys = code.matches(of: #/(?:get|opt|has)[A-Za-z]*\("([A-Za-z]+)"\)/#).map(\.1)
    #expect(keys.count >= 12)
    for key in keys where !["formatVersion", "share"].contains(key) {
      #expect(json.contains("\"\(key)\":"), "\(key)")
    }
  }
}
