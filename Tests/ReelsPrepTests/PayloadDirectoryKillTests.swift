import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

/// What a killed process leaves, with a real process.
@Suite struct PayloadDirectoryKillTests {
  /// util-linux's flock(1) without a child of its own; other systems have no such command.
  static let command = "/usr/bin/flock"
  static let hasCommand = FileManager.default.isExecutableFile(atPath: command)

  @Test(.enabled(if: hasCommand, "needs flock(1) of util-linux"))
  func `the partial payload of a process is left alone until that process is killed`() throws {
    let folder = try Folder()
    let name = ".clip.reel.4194305.part"
    try folder.makeDirectory(name)
    try folder.write([1], "\(name)/video.mp4")
    let holder = Process()
    holder.executableURL = URL(fileURLWithPath: Self.command)
    holder.arguments = ["-F", "-x", folder.path.appending(name).string, "sleep", "600"]
    try holder.run()
    var isHeld = false
    for _ in 0..<500 where !isHeld {
      // Not a task's sleep: tests that block the pool's threads would make it last.
      Thread.sleep(forTimeInterval: 0.01)
      isHeld =
        try OpenFile.open(folder.path.appending(name), for: .directory).tryLock() == .held
    }
    try #require(isHeld)
    #expect(try PayloadDirectory.existing(slug: "clip", in: folder.path) == nil)
    #expect(try folder.names == [name])
    kill(holder.processIdentifier, SIGKILL)
    holder.waitUntilExit()
    #expect(try PayloadDirectory.existing(slug: "clip", in: folder.path) == nil)
    #expect(try folder.names == [])
  }
}
