internal import Foundation
internal import ReelsModel
internal import ReelsPrep
internal import Testing

@Suite(.timeLimit(.minutes(1))) struct `Output` {
  private static func run(
    _ names: [String], _ options: [String] = [], in folder: TemporaryFolder
  ) throws -> Program.Result {
    let worker = try FakeWorker.write(to: folder)
    for name in names { try folder.write(Head.mp4, to: name) }
    return try Program.run(names + ["-o", "out"] + options, worker: worker, in: folder)
  }

  @Test func `each file gets one line with size, share of the cap, time and what was done`() throws
  {
    let folder = try TemporaryFolder()
    let result = try Self.run(["clip.mov"], in: folder)
    #expect(result.code == 0)
    #expect(
      result.output == """
        out/clip.reel: 12.3 MB, 25 % of the cap, 14.2 s: encoded 1080x1920 29.97 fps; audio copied

        """)
    #expect(result.errors.isEmpty, "no bars and no log without a terminal: \(result.errors)")
  }

  @Test func `several files get a summary, failures go to standard error`() throws {
    let folder = try TemporaryFolder()
    let result = try Self.run(["clip.mov", "crash.mov", "there.mov", "missing"], in: folder)
    #expect(result.code == 1)
    #expect(result.lines.count == 3 || result.lines.count == 2)
    #expect(result.errors.contains("reels-prep: crash.mov: the decoder crashed"))
    #expect(result.errors.contains("2 prepared, 1 there already, 1 failed in "))
  }

  @Test func `every line of --json is an event, and the last is the summary`() throws {
    let folder = try TemporaryFolder()
    let result = try Self.run(["clip.mov", "crash.mov", "there.mov"], ["--json"], in: folder)
    #expect(result.code == 1)
    let events = try result.events()
    guard case .summary(let summary) = try #require(events.last) else {
      Issue.record("the last event is \(result.lines.last ?? "none")")
      return
    }
    #expect(summary.prepared == 1 && summary.failed == 1 && summary.existing == 1)
    for line in result.lines {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["type"] is String)
      let sorted = try JSONSerialization.data(
        withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
      #expect(sorted.count <= line.utf8.count + 64)
    }
    #expect(result.errors.contains("crash.mov: the decoder crashed"))
  }

  @Test func `--quiet leaves errors alone, --verbose adds the workers' lines`() throws {
    let folder = try TemporaryFolder()
    let quiet = try Self.run(["clip.mov", "crash.mov"], ["--quiet"], in: folder)
    #expect(quiet.output.isEmpty)
    #expect(quiet.errors.split(separator: "\n").count == 1)
    let verbose = try Self.run(["clip.mov"], ["--verbose"], in: folder)
    #expect(verbose.errors.contains("clip.mov: a line of the log"))
  }

  @Test func `the exit code tells whose fault it is`() throws {
    let folder = try TemporaryFolder()
    for (names, code) in [
      (["there.mov"], 0), (["clip.mov", "there.mov"], 0), (["clip.mov", "crash.mov"], 1),
      (["crash.mov"], 65), (["audio.mov"], 65), (["disk.mov"], 74), (["exit.mov"], 1),
    ] as [([String], Int32)] {
      #expect(try Self.run(names, in: folder).code == code, "\(names)")
    }
    #expect(try Program.run(["nothing", "-o", "out"], in: folder).code == 65)
  }

  @Test func `a folder without videos is told`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.jpeg, to: "in/still.jpg")
    let result = try Program.run(["in", "-o", "out"], in: folder)
    #expect(result.code == 65)
    #expect(result.errors.contains("no video was found in in"))
    #expect(result.errors.contains("1 passed over"))
    #expect(folder.names() == ["in"])
  }

  @Test func `an output that is a file is refused before any work`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a file", to: "taken")
    let worker = try FakeWorker.write(to: folder)
    try folder.write(Head.mp4, to: "clip.mov")
    for output in ["taken", "taken/inside"] {
      let result = try Program.run(["clip.mov", "-o", output], worker: worker, in: folder)
      #expect(result.code == 74)
      #expect(result.errors.contains("taken"))
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    #expect(FakeWorker.pids(in: folder).isEmpty)
  }

  @Test func `a dry run needs no output directory and makes none`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "there.mov")
    let worker = try FakeWorker.write(to: folder)
    let result = try Program.run(["there.mov", "--dry-run"], worker: worker, in: folder)
    #expect(result.code == 0)
    let elsewhere = try Program.run(
      ["there.mov", "--dry-run", "-o", "a/b"], worker: worker, in: folder)
    #expect(elsewhere.code == 0)
    #expect(!folder.names().contains("a"))
  }

  @Test func `a reader that goes away ends neither the work nor the program`() throws {
    let folder = try TemporaryFolder()
    let worker = try FakeWorker.write(to: folder)
    for index in 0..<6 { try folder.write(Head.mp4, to: "clip\(index).mov") }
    let result = try Program.shell(
      #"{ "$P" *.mov -o out --json --jobs 1; echo $? > code; } | head -n 1"#, worker: worker,
      in: folder)
    #expect(result.lines.count == 1)
    #expect(try folder.read("code") == "0\n")
    #expect(folder.names(in: "out").count == 6)
    let closed = try Program.shell(
      #""$P" clip0.mov -o two >&- 2>&-; echo $?"#, worker: worker, in: folder)
    #expect(closed.output == "0\n")
    #expect(folder.names(in: "two") == ["clip0.reel"])
  }

  #if os(Linux)
    @Test func `an output that takes nothing for want of room is an error`() throws {
      let folder = try TemporaryFolder()
      let worker = try FakeWorker.write(to: folder)
      try folder.write(Head.mp4, to: "clip.mov")
      let result = try Program.shell(
        #""$P" clip.mov -o out > /dev/full"#, worker: worker, in: folder)
      #expect(result.code == 74)
      #expect(result.errors.contains("no space left"))
    }
  #endif

  @Test func `inspect refuses a folder and a missing file, and asks a worker for the rest`() throws
  {
    let folder = try TemporaryFolder()
    try folder.write(Head.mp4, to: "audio.mov")
    try folder.write(Head.mp4, to: "crash.mov")
    let worker = try FakeWorker.write(to: folder)
    for (name, words) in [
      ("pids", "folder"), ("missing", "no such file"), ("audio.mov", "holds no video"),
      ("crash.mov", "the decoder crashed"),
    ] {
      if name == "pids" { try folder.write("", to: "pids/0") }
      let result = try Program.run(["inspect", name], worker: worker, in: folder)
      #expect(result.code == 65, "\(name)")
      #expect(result.output.isEmpty)
      #expect(result.errors.contains(words), "\(result.errors)")
    }
  }
}
