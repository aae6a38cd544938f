import Foundation
import TestSupport
import Testing

/// `scripts/bootstrap`, with commands of its own instead of the machine's.
@Suite struct BootstrapTests {
  private static let script = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "scripts/bootstrap")

  /// A folder of commands: some of the machine's, some that only note how they were called.
  private struct Commands {
    let folder: TemporaryDirectory
    var log: URL { folder.file("log") }

    init() throws {
      folder = try TemporaryDirectory()
      let taken = ["bash", "cat", "env", "mktemp", "rm", "grep", "uname", "id", "dirname", "sleep"]
      for name in taken {
        let places = ["/usr/bin/", "/bin/"].map { $0 + name }
        let found = places.first { FileManager.default.isExecutableFile(atPath: $0) }
        try FileManager.default.createSymbolicLink(
          atPath: folder.file(name).path, withDestinationPath: #require(found))
      }
      try add("swift", "exit 0")
    }

    func add(_ name: String, _ body: String) throws {
      let file = folder.file(name)
      try "#!/bin/bash\n\(body)\n".write(to: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: file.path)
    }

    func bootstrap(_ arguments: [String]) throws -> Tool.Output {
      try Tool("/bin/bash").outcome(
        [BootstrapTests.script.path] + arguments, environment: ["PATH": folder.url.path])
    }
  }

  @Test func `where nothing is missing it says nothing and installs nothing`() throws {
    let commands = try Commands()
    for name in ["pkg-config", "ffmpeg", "mediainfo"] { try commands.add(name, "exit 0") }
    try commands.add("apt-get", "echo called >> '\(commands.log.path)'")
    let output = try commands.bootstrap(["tests"])
    #expect(output.status == 0)
    #expect(output.text.isEmpty && output.stderr.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: commands.log.path))
  }

  @Test func `without a package manager one sentence names what is missing`() throws {
    let commands = try Commands()
    try commands.add("pkg-config", "[ \"$2\" != libavfilter ]")
    let output = try commands.bootstrap([])
    #expect(output.status == 69)
    #expect(output.text.isEmpty)
    let sentence = output.stderr
    #expect(sentence.split(separator: "\n").count == 1)
    #expect(sentence.contains("libavfilter") && !sentence.contains("libavcodec"))
  }

  @Test func `what is missing is installed by apt, without a question`() throws {
    let commands = try Commands()
    let installed = commands.folder.file("installed").path
    try commands.add("pkg-config", "[ \"$2\" != libavfilter ] || [ -e '\(installed)' ]")
    try commands.add("id", "echo 0")
    try commands.add(
      "apt-get",
      """
      echo "$DEBIAN_FRONTEND $*" >> '\(commands.log.path)'
      case "$*" in *install*) : > '\(installed)' ;; esac
      """)
    let output = try commands.bootstrap([])
    #expect(output.status == 0, "\(output.stderr)")
    let calls = try String(contentsOf: commands.log, encoding: .utf8)
    let install = try #require(calls.split(separator: "\n").last)
    #expect(install.hasPrefix("noninteractive") && install.contains("-y"))
    #expect(install.hasSuffix("install --no-install-recommends libavfilter-dev"))
  }

  @Test func `Little CMS is installed under each package manager's name for it`() throws {
    for (system, manager, package) in [
      ("Linux", "apt-get", "liblcms2-dev"), ("Darwin", "brew", "little-cms2"),
    ] {
      let commands = try Commands()
      let installed = commands.folder.file("installed").path
      try FileManager.default.removeItem(at: commands.folder.file("uname"))
      try commands.add("uname", "echo \(system)")
      try commands.add("pkg-config", "[ \"$2\" != lcms2 ] || [ -e '\(installed)' ]")
      try commands.add("id", "echo 0")
      try commands.add(
        manager,
        """
        echo "$*" >> '\(commands.log.path)'
        case "$*" in *install*) : > '\(installed)' ;; esac
        """)
      let output = try commands.bootstrap([])
      #expect(output.status == 0, "\(output.stderr)")
      let calls = try String(contentsOf: commands.log, encoding: .utf8)
      let install = try #require(calls.split(separator: "\n").last)
      #expect(install.hasSuffix(" \(package)"))
    }
  }
}
