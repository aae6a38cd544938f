import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// Any name that a file system allows, through the command: nothing is overwritten and nothing
  /// skipped.
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct FileNameTests {
    private static let names = [
      "caf\u{e9}.mp4", "cafe\u{301}.mp4", "same.mp4", "same.mkv", "-o.mp4", "--help.mp4",
      "new\nline.mp4", "bell\u{7}\u{1b}[31m.mp4", String(repeating: "x", count: 251) + ".mp4",
      "%d.mp4", "file:x.mp4", " .mp4", "..mp4",
    ]

    private func write(in folder: TemporaryDirectory) throws -> URL {
      let mp4 = try SourceClip.make(
        "first.mp4", picture: "testsrc2=s=64x48:r=25", seconds: 3.2, SourceClip.copyable, in: folder
      )
      let mkv = try SourceClip.remux(mp4, to: "first.mkv", ["-c", "copy"], in: folder)
      let inputs = folder.file("in")
      try FileManager.default.createDirectory(at: inputs, withIntermediateDirectories: false)
      for name in Self.names {
        let bytes = try Data(contentsOf: name.hasSuffix("mkv") ? mkv : mp4)
        // Not by URL, which knows better about some of them.
        #expect(FileManager.default.createFile(atPath: "\(inputs.path)/\(name)", contents: bytes))
      }
      return inputs
    }

    @Test(arguments: [false, true]) func `every name gives a payload of its own`(
      named: Bool
    ) throws {
      let folder = try TemporaryDirectory()
      let inputs = try write(in: folder)
      let output = folder.file("out")
      let count = try FileManager.default.contentsOfDirectory(atPath: inputs.path).count
      // A hidden file is done only where it is named.
      let expected = named ? count : count - 1
      let ended = try Tool.built("reels-prep").outcome(
        ["-o", output.path, "--effort", "fast", "--json", "--"] + (named ? Self.names : ["."]),
        in: inputs)
      #expect(ended.status == 0, "\(ended.stderr)")
      let payloads = try FileManager.default.contentsOfDirectory(atPath: output.path)
      #expect(payloads.count == expected, "\(payloads)")
      var sources: Set<[UInt8]> = []
      for payload in payloads {
        let manifest = try JSONDecoder().decode(
          Manifest.self,
          from: try Data(contentsOf: output.appending(path: "\(payload)/payload.json")))
        // By bytes: the two cafés are equal as strings.
        sources.insert(Array(manifest.source.name.utf8))
        #expect(payload.utf8.count <= 105)
        #expect(payload.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 32 })
      }
      #expect(sources.count == expected)
      #expect(payloads.contains("same-mp4.reel") && payloads.contains("same-mkv.reel"))
      // No control character comes back to the terminal.
      let isClean = ended.stderr.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 }
      #expect(isClean, "\(ended.stderr)")
      // Sources are never written.
      #expect(try FileManager.default.contentsOfDirectory(atPath: inputs.path).count == count)
    }

    /// Whatever else is prepared with it, and in whatever order.
    @Test func `a second run finds all of them done`() throws {
      let folder = try TemporaryDirectory()
      let inputs = try write(in: folder)
      let command = Tool.built("reels-prep")
      let line = ["-o", folder.file("out").path, "--effort", "fast", "--"]
      try command.run(line + Self.names, in: inputs)
      let before = folder.contents
      let again = try command.outcome(
        line + Self.names.reversed() + ["--json"].prefix(0), in: inputs)
      #expect(again.status == 0, "\(again.stderr)")
      #expect(folder.contents == before)
    }
  }
}
