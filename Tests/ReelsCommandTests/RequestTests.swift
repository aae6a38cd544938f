internal import Foundation
internal import ReelsModel
internal import ReelsPrep
internal import Testing

/// What reaches the worker, as the fake one keeps it.
@Suite struct `Requests` {
  private struct Job: Decodable {
    var kind: String
    var request: Request
    var isVerbose: Bool
  }

  private static func job(_ arguments: [String], in folder: TemporaryFolder) throws -> Job {
    let worker = try FakeWorker.write(to: folder)
    let result = try Program.run(arguments, worker: worker, in: folder)
    #expect(result.code == 0, "\(result.errors)")
    return try JSONDecoder().decode(Job.self, from: Data(folder.read("job").utf8))
  }

  @Test func `every option arrives in the request`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "clip.mov")
    let job = try Self.job(
      [
        "prepare", "--start", "1:02.5", "--end=00:01:30", "clip.mov", "-oout", "--fit", "pad",
        "--canvas", "720x1280", "--pad-color", "#102030", "--fps", "29.97", "--max-size", "20MB",
        "--effort", "fast", "--short", "loop", "--audio", "2", "--sticker", "logo.png",
        "--app-id", "1234", "--cover", "2.5", "--overwrite", "--verbose",
      ], in: folder)
    var expected = Request(input: "clip.mov", outputDirectory: "out", slug: "clip")
    expected.start = MediaTime(seconds: Ratio(125, 2))
    expected.end = MediaTime(seconds: 90)
    expected.fit = .pad
    expected.canvas = PixelSize(width: 720, height: 1280)
    expected.padColor = RGBColor(red: 0x10, green: 0x20, blue: 0x30)
    expected.frameRate = Ratio(30000, 1001)
    expected.maxSize = ByteCount(20_000_000)
    expected.effort = .fast
    expected.short = .loop
    expected.audio = .track(2)
    expected.sticker = "logo.png"
    expected.appID = "1234"
    expected.cover = .time(MediaTime(seconds: Ratio(5, 2)))
    expected.overwrite = true
    expected.threads = job.request.threads
    #expect(job.request == expected)
    #expect(job.kind == "prepare")
    #expect(job.isVerbose)
    #expect((job.request.threads ?? 0) >= 1)
  }

  @Test(arguments: [
    ("30", Ratio(30)), ("30.0", Ratio(30)), ("25.5", Ratio(51, 2)), ("23.976", Ratio(24000, 1001)),
    ("23.98", Ratio(24000, 1001)), ("29.97", Ratio(30000, 1001)), ("59.94", Ratio(60000, 1001)),
    ("30000/1001", Ratio(30000, 1001)),
  ])
  func `a frame rate is read in all its forms`(text: String, rate: Ratio) throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "clip.mov")
    let job = try Self.job(["clip.mov", "-o", "out", "--fps", text], in: folder)
    #expect(job.request.frameRate == rate)
  }

  @Test(arguments: [
    ("reels", "instagram-reels"), ("stories", "instagram-stories"), ("facebook", "facebook-reels"),
    ("graph", "instagram-graph"),
  ])
  func `a destination is its built-in preset`(name: String, share: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "clip.mov")
    let job = try Self.job(["clip.mov", "-o", "out", "--destination", name], in: folder)
    #expect(try Presets.load(job.request.preset).destination == share)
  }

  @Test func `of a repeated option the last counts, and a dry run only plans`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "there.mov")
    let job = try Self.job(
      ["there.mov", "-o", "one", "--output", "two", "--fps", "25", "--fps=50", "--dry-run"],
      in: folder)
    #expect(job.request.outputDirectory == "two")
    #expect(job.request.frameRate == Ratio(50))
    #expect(job.kind == "plan")
  }

  @Test func `names that look like options or commands are files after two dashes`() throws {
    let folder = try TemporaryFolder()
    for name in ["--json", "inspect", "-o"] { try folder.write(Head.mp4, to: name) }
    let worker = try FakeWorker.write(to: folder)
    let result = try Program.run(
      ["-o", "out", "--", "--json", "inspect", "-o"], worker: worker, in: folder)
    #expect(result.code == 0, "\(result.errors)")
    #expect(folder.names(in: "out") == ["--json.reel", "-o.reel", "inspect.reel"])
  }

  @Test func `a name with a newline and an escape sequence is shown on one line`() throws {
    let folder = try TemporaryFolder()
    let result = try Program.run(["a\n\u{1B}[31mb.mov", "-o", "out"], in: folder)
    #expect(result.code == 65)
    #expect(result.errors.contains("a??[31mb.mov"))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  #if os(Linux)
    @Test func `a name that is not UTF-8 is found by its bytes`() throws {
      let folder = try TemporaryFolder()
      let worker = try FakeWorker.write(to: folder)
      let result = try Program.shell(
        #"""
        name=$(printf 'a\377b.mov'); : > "$name"; "$P" inspect "$name" >/dev/null 2>&1
        "$P" "$name" -o out
        """#, worker: worker, in: folder)
      #expect(result.code == 0, "\(result.errors)")
      let job = try JSONDecoder().decode(Job.self, from: Data(folder.read("job").utf8))
      #expect(job.request.input.bytes == [0x61, 0xFF, 0x62] + Array(".mov".utf8))
      #expect(job.request.slug == "a-b")
    }
  #endif
}
