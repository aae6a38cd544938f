import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct DiskSpaceTests {
  @Test func `the free space of a folder to be made is that of the folder above it`() throws {
    let folder = try Folder()
    let free = try #require(try DiskSpace.available(at: folder.path.appending("not/yet/there")))
    #expect(free > ByteCount(0))
    try DiskSpace.require(ByteCount(1), at: folder.path.appending("not/yet/there"))
  }

  @Test func `too little room is a sentence with the disk and what is missing`() throws {
    let folder = try Folder()
    let error = #expect(throws: PrepError.self) {
      try DiskSpace.require(ByteCount(.max), at: folder.path)
    }
    #expect(error?.code == .diskFull)
    #expect(error?.blame == .output)
    let mount = try #require(DiskSpace.mountPoint(of: folder.path))
    #expect(error?.sentence.hasPrefix("the disk at \(mount) is full: ") == true)
    #expect(error?.sentence.contains(" needed, ") == true)
    #expect(error?.sentence.contains(" missing for \(folder.path)") == true)
  }

  @Test func `a device without room is a full disk`() throws {
    #if os(Linux)
      let error = #expect(throws: FileError.self) {
        try OpenFile.open("/dev/full", for: .writing).write([1])
      }
      #expect(error?.isDiskFull == true)
      #expect(error?.prepError(blame: .output, needed: ByteCount(1)).code == .diskFull)
    #endif
  }

  @Test func `a payload that does not fit its disk is a sentence and leaves nothing`() throws {
    #if os(Linux)
      let folder = try Folder()
      guard run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder.path.string) else {
        try Test.cancel("mounting a small disk needs root")
      }
      defer { _ = run("umount", folder.path.string) }
      do {
        let payload = try PayloadDirectory.begin(slug: "clip", in: folder.path, overwrite: false)
        let error = #expect(throws: PrepError.self) {
          try payload.write([UInt8](repeating: 7, count: 1 << 20), as: "video.mp4")
        }
        #expect(error?.code == .diskFull)
        #expect(error?.sentence.contains("the disk at \(folder.path) is full") == true)
        #expect(error?.sentence.contains("1.0 MB needed") == true)
      }
      #expect(try folder.names == [])
    #endif
  }

  private func run(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
