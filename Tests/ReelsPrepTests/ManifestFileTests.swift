import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct ManifestFileTests {
  private func text(_ manifest: Manifest) throws -> String {
    String(decoding: try ManifestFile.encode(manifest), as: UTF8.self)
  }

  @Test func `a manifest is the same after writing and reading it`() throws {
    let bytes = try ManifestFile.encode(Sample.manifest)
    #expect(try ManifestFile.decode(bytes, from: "payload.json") == Sample.manifest)
  }

  @Test func `the text is UTF-8, unescaped, with one newline at its end`() throws {
    let text = try text(Sample.manifest)
    #expect(text.hasSuffix("}\n"))
    #expect(!text.hasSuffix("\n\n"))
    #expect(text.contains("\"clïp/1.mov\""))
    #expect(text.contains("instagram-reels://share"))
    #expect(!text.contains("\\/"))
  }

  @Test func `keys are sorted by their bytes at every depth`() throws {
    var keysAtDepth: [Int: [String]] = [:]
    for line in try text(Sample.manifest).split(separator: "\n") {
      let depth = line.prefix { $0 == " " }.count
      // A shallower line ends the deeper objects.
      keysAtDepth = keysAtDepth.filter { $0.key <= depth }
      let body = line.dropFirst(depth)
      guard body.hasPrefix("\""), let end = body.range(of: "\" : ") else { continue }
      keysAtDepth[depth, default: []].append(String(body[..<end.lowerBound].dropFirst()))
      let keys = try #require(keysAtDepth[depth])
      #expect(keys.map { Array($0.utf8) }.elementsEqual(keys.sorted().map { Array($0.utf8) }))
    }
  }

  @Test func `the same manifest gives the same bytes`() throws {
    let first = try ManifestFile.encode(Sample.manifest)
    for _ in 0..<20 { #expect(try ManifestFile.encode(Sample.manifest) == first) }
  }

  @Test func `unknown keys are passed over and another version is not`() throws {
    let text = try text(Sample.manifest)
    let newer = text.replacing("\"formatVersion\" : 1", with: "\"a\" : 1, \"formatVersion\" : 1")
    #expect(try ManifestFile.decode(Array(newer.utf8), from: "p") == Sample.manifest)
    let other = text.replacing("\"formatVersion\" : 1", with: "\"formatVersion\" : 2")
    let error = #expect(throws: PrepError.self) {
      try ManifestFile.decode(Array(other.utf8), from: "p")
    }
    #expect(error?.sentence == "p has format version 2; this reels-prep reads version 1")
  }

  @Test func `a fault is named with the path of its key`() throws {
    let broken = try text(Sample.manifest).replacing(
      "\"durationSeconds\" : 12", with: "\"durationSeconds\" : \"12\"")
    let error = #expect(throws: PrepError.self) {
      try ManifestFile.decode(Array(broken.utf8), from: "p")
    }
    #expect(error?.sentence == "p: video.durationSeconds: expected a number")
    let noJSON = #expect(throws: PrepError.self) { try ManifestFile.decode([1, 2], from: "p") }
    #expect(noJSON?.sentence == "p: is not JSON")
  }

  @Test func `a number that JSON cannot hold is the program's fault`() {
    var manifest = Sample.manifest
    manifest.work.capShare = .nan
    let error = #expect(throws: PrepError.self) { try ManifestFile.encode(manifest) }
    #expect(error?.blame == .program)
  }

  @Test func `an event is one line with its type`() throws {
    let event = Event.skipped(
      Event.Skipped(input: "a/b\n.mp4", reason: .exists, sentence: "a \"b\"\nc"))
    let line = String(decoding: try ManifestFile.line(event), as: UTF8.self)
    #expect(
      line
        == #"{"input":"a/b\n.mp4","reason":"exists","sentence":"a \"b\"\nc","type":"skipped"}"#
        + "\n")
  }

  @Test func `the manifest of a payload is read from its folder`() throws {
    let folder = try Folder()
    #expect(throws: PrepError.self) { try ManifestFile.read(in: folder.path) }
    try folder.write(ManifestFile.encode(Sample.manifest), Manifest.fileName)
    #expect(try ManifestFile.read(in: folder.path) == Sample.manifest)
  }
}
