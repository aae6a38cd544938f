import ReelsFFmpeg
import ReelsModel
import TestSupport
import Testing

@Suite struct FFmpegErrorTests {
  @Test func `a description names operation, subject, meaning and libav's line`() {
    var error = FFmpegError(
      code: .invalidData, operation: "open", subject: "clip.mov", detail: "moov atom not found")
    #expect(
      error.description
        == "open clip.mov: Invalid data found when processing input (moov atom not found)")
    error.detail = nil
    #expect(error.description == "open clip.mov: Invalid data found when processing input")
  }

  @Test func `a code that nobody knows is kept and has some meaning`() {
    let code = FFmpegError.Code(rawValue: -123_456_789)
    let error = FFmpegError(code: code, operation: "read", subject: "x", detail: nil)
    #expect(error.code.rawValue == -123_456_789)
    #expect(error.description.contains("-123456789"))
    #expect(code.errno == nil)
  }

  @Test func `an error of the system keeps its number`() throws {
    let folder = try TemporaryDirectory()
    let error = #expect(throws: FFmpegError.self) {
      _ = try Demuxer.open(
        folder.url.filePath.appending("missing.mp4"), interrupt: Interrupt())
    }
    #expect(error?.code.errno == 2)
    #expect(error?.operation == "open")
    #expect(error?.subject == "missing.mp4")
    #expect(error?.meaning == "No such file or directory")
    #expect(FFmpegError.Code.again.errno == 11 || FFmpegError.Code.again.errno == 35)
    #expect(FFmpegError.Code.end.errno == nil)
  }

  @Test(.enabled(if: Clip.isPossible))
  func `a file that ends before its index says so in libav's words`() throws {
    let folder = try TemporaryDirectory()
    let path = try Clip.copy(named: "cut.mp4", in: folder)
    try BoxPatch.truncate(folder.file("cut.mp4"), to: 900)
    let error = #expect(throws: FFmpegError.self) {
      _ = try Demuxer.open(path, interrupt: Interrupt())
    }
    #expect(error?.code == .invalidData)
    #expect(error?.detail == "moov atom not found")
    #expect(error?.description.contains("open cut.mp4") == true)
  }
}
