import Foundation
import ReelsFFmpeg
import TestSupport
import Testing

@Suite struct InterruptTests {
  @Test(.enabled(if: Clip.isPossible))
  func `a time limit that has run out ends the opening of a file`() throws {
    let interrupt = Interrupt()
    interrupt.limit(seconds: 0)
    let path = try Clip.numbered.get().filePath
    let error = #expect(throws: FFmpegError.self) {
      _ = try Demuxer.open(path, interrupt: interrupt)
    }
    #expect(error?.code == .interrupted)
    #expect(interrupt.isExpired)
    #expect(!interrupt.isRequested)
    interrupt.limit(seconds: nil)
    #expect(!interrupt.shouldEnd)
    _ = try Demuxer.open(path, interrupt: interrupt)
  }

  @Test(.enabled(if: Clip.isPossible)) func `a request ends the opening of a file`() throws {
    let interrupt = Interrupt()
    interrupt.request()
    let path = try Clip.numbered.get().filePath
    let error = #expect(throws: FFmpegError.self) {
      _ = try Demuxer.open(path, interrupt: interrupt)
    }
    #expect(error?.code == .interrupted)
    #expect(interrupt.isRequested)
    #expect(!interrupt.isExpired)
  }

  @Test func `a limit holds until its time and a negative one at once`() throws {
    let interrupt = Interrupt()
    interrupt.limit(seconds: 60)
    #expect(!interrupt.shouldEnd)
    interrupt.limit(seconds: -1)
    Thread.sleep(forTimeInterval: 0.001)
    #expect(interrupt.shouldEnd)
  }
}
