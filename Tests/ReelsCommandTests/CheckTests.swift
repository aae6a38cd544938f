internal import Foundation
internal import ReelsModel
internal import Testing

/// `reels-prep check`, by files that the ffmpeg command makes.
private let hasTools = ["ffmpeg", "python3"].allSatisfy { name in
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
  }
}

@Suite(.timeLimit(.minutes(3)), .enabled(if: hasTools, "needs the commands ffmpeg and python3"))
struct CheckTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "scripts/single-faults"
    ).path

  private struct Line: Decodable {
    var rule: String?
    var verdict: String?
    var found: String?
    var allowed: String?
    var `where`: String?
    var source: String?
    var subcode: Int?
    var remedy: String?
    var failed: Int?
    var passed: Int?
    var advised: Int?
    var file: String?
  }

  private static func lines(_ result: Program.Result) throws -> [Line] {
    try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  /// One file for each rule, and one that keeps all; the script compares what is told with what was done.
  @Test func `each single fault is told by exactly its rule`() async throws {
    let folder = try TemporaryFolder()
    let result = try await Program.longShell(
      "'\(Self.script)' faults --check \"$P\"", in: folder, seconds: 150)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let table = try String(
      contentsOf: folder.url.appendingPathComponent("faults/faults.tsv"), encoding: .utf8)
    #expect(table.split(separator: "\n").count >= 57)
  }

  /// The script's own verdict must be able to fail.
  @Test func `a checker that says nothing is found out`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.writeScript("#!/bin/sh\nexit 0\n", to: "silent")
    let result = try Program.shell(
      "'\(Self.script)' faults --only container --check ./silent", in: folder)
    #expect(result.code == 1)
  }

  private static func clip(_ name: String, _ options: String, in folder: TemporaryFolder) throws {
    let made = try Program.shell(
      "ffmpeg -v error -y -f lavfi -i testsrc2=s=320x240:d=4 -f lavfi -i sine=d=4 "
        + "\(options) \(name)", in: folder)
    try #require(made.code == 0, "\(made.errors)")
  }

  @Test func `a line for each rule says all there is, and a summary ends it`() throws {
    let folder = try TemporaryFolder()
    try Self.clip("clip.mp4", "-metadata comment=x", in: folder)
    let result = try Program.run(["check", "clip.mp4", "--json"], in: folder)
    #expect(result.code == 1)
    let lines = try Self.lines(result)
    let summary = try #require(lines.last)
    #expect(summary.rule == nil)
    #expect(summary.file == "clip.mp4")
    let rules = lines.dropLast()
    #expect(rules.count { $0.verdict == "fail" } == summary.failed)
    #expect(rules.count { $0.verdict == "pass" } == summary.passed)
    #expect(rules.count { $0.verdict == "advised" } == summary.advised)
    for line in rules {
      #expect(line.rule != nil && line.found != nil && line.allowed != nil)
      #expect(line.source?.isEmpty == false)
      #expect((line.remedy == nil) == (line.verdict == "pass"))
    }
    let list = try #require(rules.first { $0.rule == "no-edit-list" })
    #expect(list.verdict == "fail")
    #expect(list.where?.hasPrefix("moov/trak[0]/edts/elst at byte ") == true)
    #expect(list.subcode == 2_207_026)
    #expect(list.remedy == "reels-prep clip.mp4 -o DIR")
    #expect(list.source?.contains("IG User Media") == true)
    // Every line has `where`, null or not.
    #expect(result.lines.dropLast().allSatisfy { $0.contains("\"where\":") })
  }

  @Test func `what is no MP4 breaks the rule of containers, what is no media cannot be read`()
    throws
  {
    let folder = try TemporaryFolder()
    try Self.clip("clip.mkv", "", in: folder)
    let other = try Program.run(["check", "clip.mkv"], in: folder)
    #expect(other.code == 1)
    #expect(other.output.contains("Matroska"))
    try folder.write("nothing", to: "text.mp4")
    for name in ["text.mp4", "missing.mp4", "."] {
      let result = try Program.run(["check", name], in: folder)
      #expect(result.code == 65, "\(name)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    let mixed = try Program.run(["check", "clip.mkv", "text.mp4"], in: folder)
    #expect(mixed.code == 65)
    // What cannot be read has its line, too.
    let lines = try Program.run(["check", "missing.mp4", "--json"], in: folder).output
    #expect(lines.contains("\"file\":\"missing.mp4\""))
    #expect(lines.contains("does not exist"))
  }

  @Test func `a payload is whole, and what was done to it afterwards is told`() throws {
    let folder = try TemporaryFolder()
    try Self.clip("clip.mp4", "", in: folder)
    #expect(try Program.run(["clip.mp4", "-o", "out"], in: folder).code == 0)
    #expect(try Program.run(["check", "out/clip.reel"], in: folder).code == 0)
    #expect(try Program.run(["check", "out/clip.reel", "--deep"], in: folder).code == 0)

    func broken(_ change: String) throws -> [String] {
      let copied = try Program.shell("rm -rf p && cp -r out/clip.reel p && \(change)", in: folder)
      try #require(copied.code == 0, "\(copied.errors)")
      let result = try Program.run(["check", "p", "--json"], in: folder)
      #expect(result.code == 1, "\(change)")
      return try Self.lines(result).filter { $0.verdict == "fail" }.compactMap(\.rule)
    }
    #expect(try broken("rm p/cover.jpg") == ["payload-files", "cover"])
    #expect(try broken("rm p/video.mp4") == ["payload-files", "container"])
    #expect(try broken("truncate -s 9000 p/video.mp4") == ["payload-files", "container"])
    let own = try Program.shell(
      "rm -rf p && cp -r out/clip.reel p && sed -i 's/\"name\" : \"reels\"/\"name\" : \"mine\"/' p/payload.json",
      in: folder)
    #expect(own.code == 0)
    let unknown = try Program.run(["check", "p"], in: folder)
    #expect(unknown.code == 65)
    #expect(unknown.errors.contains("name one with --preset"))
    #expect(try Program.run(["check", "p", "--preset", "reels"], in: folder).code == 0)
    #expect(try broken("printf x >> p/cover.jpg") == ["payload-files", "cover"])
    #expect(try broken("touch p/other.txt") == ["payload-files"])
    // EXIF in the cover.
    #expect(
      try broken(
        "(printf '\\377\\330\\377\\341\\000\\010Exif\\000\\000'; tail -c +3 out/clip.reel/cover.jpg) > p/cover.jpg"
      ) == ["payload-files", "cover"])
    #expect(try broken("cp p/video.mp4 p/cover.jpg") == ["payload-files", "cover"])
    #expect(
      try broken(
        "sed -i 's/\"name\" : \"video.mp4\"/\"name\" : \"..\\/video.mp4\"/' p/payload.json"
      )
      .contains("payload-files"))
    // The same length, other bytes.
    #expect(
      try broken("printf x | dd of=p/video.mp4 bs=1 seek=5000 conv=notrunc 2>/dev/null")
        .contains("payload-files"))
    let cut = try Program.shell("rm -rf p && mkdir p && echo '{' > p/payload.json", in: folder)
    #expect(cut.code == 0)
    #expect(try Program.run(["check", "p"], in: folder).code == 65)
  }

  @Test func `another preset has other limits`() throws {
    let folder = try TemporaryFolder()
    try Self.clip("clip.mp4", "", in: folder)
    let result = try Program.run(
      ["check", "clip.mp4", "--preset", "facebook-reels", "--json"], in: folder)
    let broken = try Self.lines(result).filter { $0.verdict == "fail" }.compactMap(\.rule)
    #expect(Set(broken).isSuperset(of: ["aspect", "frame-size"]))
    #expect(try Program.run(["check", "clip.mp4", "--preset", "none"], in: folder).code == 64)
    #expect(try Program.run(["check"], in: folder).code == 64)
    #expect(try Program.run(["check", "clip.mp4", "--fit", "pad"], in: folder).code == 64)
  }
}
