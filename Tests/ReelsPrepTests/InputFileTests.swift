import Foundation
import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct InputFileTests {
  @Test func `a file with bytes in it has their number`() throws {
    let folder = try Folder()
    try folder.write([1, 2, 3], "clip.mp4")
    #expect(try InputFile.check(folder.path.appending("clip.mp4")) == ByteCount(3))
  }

  @Test func `what is empty, a folder, a pipe or missing is each said to be that`() throws {
    let folder = try Folder()
    try folder.write([], "empty.mp4")
    try folder.makeDirectory("folder.mp4")
    #expect(mkfifo(folder.path.appending("pipe.mp4").cString, 0o600) == 0)
    for (name, code, fact) in [
      ("empty.mp4", PrepError.Code.empty, "is empty (0 bytes)"),
      ("folder.mp4", .notAFile, "is a folder, not a video"),
      ("pipe.mp4", .notAFile, "is a pipe or a device"),
      ("missing.mp4", .notFound, "does not exist"),
    ] {
      let error = #expect(throws: PrepError.self) {
        try InputFile.check(folder.path.appending(name))
      }
      #expect(error?.code == code, "\(name)")
      #expect(error?.sentence.contains("\(name) \(fact)") == true, "\(name)")
      #expect(error?.blame == .input, "\(name)")
    }
  }
}
