internal import ReelsModel
internal import Testing

@Suite struct `Arguments` {
  @Test func `help is one screen of 24 lines and 80 columns, with examples`() throws {
    for option in ["--help", "-h"] {
      let result = try Program.run([option])
      #expect(result.code == 0)
      #expect(result.errors.isEmpty)
      let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 25, "24 lines and the end of the last")
      #expect(lines.allSatisfy { $0.count <= 80 })
      #expect(result.output.contains("Examples:"))
      #expect(result.output.contains("reels-prep holiday.mov -o out"))
    }
  }

  @Test func `help names every option of a request`() throws {
    let help = try Program.run(["--help"]).output
    for option in [
      "start", "duration", "end", "preset", "destination", "fit", "canvas", "pad-color", "fps",
      "max-size",
      "effort", "short", "audio", "loudness", "pick", "split", "crop-focus", "remove-borders",
      "safe-area", "max-memory", "min-quality", "sticker", "sticker-size", "background", "app-id",
      "cover", "overwrite", "jobs",
      "json",
      "dry-run", "quiet", "verbose", "version", "help", "output",
    ] {
      #expect(help.contains("--\(option)"), "\(option)")
    }
  }

  @Test func `without arguments the help goes to standard error`() throws {
    let result = try Program.run([])
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("Usage:"))
  }

  @Test func `the version is one line`() throws {
    let result = try Program.run(["--version"])
    #expect(result.code == 0)
    #expect(result.output.wholeMatch(of: #/reels-prep \d+\.\d+\.\d+\n/#) != nil)
  }

  @Test(arguments: [
    ("--durration", "--duration"), ("--ovewrite", "--overwrite"), ("--hepl", "--help"),
    ("--pad-colour=red", "--pad-color"), ("--dry", "--dry-run"), ("--ouptut", "--output"),
    ("-j", "--jobs"),
  ])
  func `an unknown option names the nearest one`(typed: String, meant: String) throws {
    let result = try Program.run(["clip.mov", "-o", "out", typed])
    #expect(result.code == 64)
    #expect(result.errors.contains(" \(meant)?"), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [
    ("start", "-5", "hh:mm:ss"), ("start", "1:60", "hh:mm:ss"), ("duration", "", "hh:mm:ss"),
    ("duration", "0", "more than 0"), ("fit", "stretch", "keep, pad, crop or blur"),
    ("canvas", "1080", "1080x1920"), ("canvas", "1081x1920", "even"),
    ("pad-color", "#12", "#102030"), ("fps", "abc", "30000/1001"), ("fps", "30/0", "30000/1001"),
    ("fps", "10", "23 to 60"), ("fps", "61", "23 to 60"), ("max-size", "0", "50MB"),
    ("max-size", "huge", "50MB"), ("effort", "lazy", "fast, balanced or best"),
    ("short", "no", "reject, loop or hold"), ("audio", "0", "counted from 1"),
    ("cover", "soon", "auto or a time"), ("jobs", "0", "1 to 64"), ("jobs", "1.5", "1 to 64"),
    ("app-id", "a b", "letters and digits"), ("sticker-size", "640", "640x480"),
    ("sticker-size", "15x480", "16 to 4096"), ("sticker-size", "640x4097", "16 to 4096"),
    ("preset", "nowhere", "reels"),
    ("destination", "elsewhere", "reels, stories, facebook or graph"),
  ])
  func `an invalid value is told with what is allowed`(
    option: String, value: String, allowed: String
  ) throws {
    let result = try Program.run(["clip.mov", "-o", "out", "--\(option)=\(value)"])
    #expect(result.code == 64)
    #expect(result.errors.contains(value))
    #expect(result.errors.contains(allowed), "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test(arguments: [
    ["a", "-o", "out", "--duration", "5", "--end", "9"], ["a", "-o", "out", "--start"],
    ["a", "-o", "out", "--start", "--json"], ["a", "-o", "out", "--start", "9", "--end", "9"],
    ["a", "-o", "out", "--canvas", "720x1280"], ["a", "-o", "out", "--pad-color", "white"],
    ["a", "-o", "out", "--preset", "reels", "--destination", "reels"],
    ["a", "-o", "out", "--quiet", "--verbose"], ["a", "-o", "out", "--json=yes"],
    ["a", "-o", "out", "--sticker-size", "320x240"],
    ["a"], ["-o", "out"], ["-", "-o", "out"], ["a", "-o"], ["inspect"], ["inspect", "a", "b"],
    ["inspect", "a", "--jobs", "2"], ["inspect", "a", "-o", "out"], ["presets", "a", "b"],
    ["preview"], ["preview", "a"], ["preview", "a", "b", "-o", "c"],
    ["preview", "a", "-o", "b", "--fps", "30"], ["preview", "a", "-o", "b", "--deep"],
    ["presets", "--fps", "30"], ["presets", "nowhere"],
  ])
  func `a command line that makes no sense is refused in one sentence`(
    arguments: [String]
  ) throws {
    let result = try Program.run(arguments)
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
  }

  @Test func `a preview's exit code tells the input's faults from the output's`() throws {
    let place = try TemporaryFolder()
    let nothing = try Program.run(["preview", "/nowhere.reel", "-o", "none.png"], in: place)
    #expect(nothing.code == 65)
    #expect(nothing.errors.split(separator: "\n").count == 1, "\(nothing.errors)")
    let folder = try Program.run(["preview", "/nowhere.reel", "-o", "/"])
    #expect(folder.code == 74)
    #expect(folder.errors.split(separator: "\n").count == 1, "\(folder.errors)")
  }

  @Test func `presets are listed, and one is shown with the page of each limit`() throws {
    let list = try Program.run(["presets"])
    #expect(list.code == 0)
    #expect(list.lines.contains { $0.hasPrefix("reels: ") })
    let one = try Program.run(["presets", "reels"])
    #expect(one.code == 0)
    #expect(one.output.contains("3 to 60 s (hard, "))
    let json = try Program.run(["presets", "reels", "--json"])
    #expect(json.lines.count == 1)
    #expect(json.output.contains(#""name":"reels""#))
  }
}
