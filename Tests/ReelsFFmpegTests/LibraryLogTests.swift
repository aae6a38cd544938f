import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsFFmpeg

@Suite struct LibraryLogTests {
  @Test func `addresses are taken out, whatever stands before them`() {
    #expect(
      LibraryLog.withoutAddresses("[mov,mp4,m4a @ 0x55d0a1] moov atom not found")
        == "moov atom not found")
    #expect(
      LibraryLog.withoutAddresses("[scale @ 0x7f00] [swscaler @ 0x7ff1] bad [src range]")
        == "bad [src range]")
    #expect(LibraryLog.withoutAddresses("plain line") == "plain line")
  }

  @Test func `the last error line is told once`() {
    LibraryLog.install()
    _ = LibraryLog.takeLastError()
    let graph = Result { _ = try FilterGraph.audio("nosuchfilter", from: [Self.format]) }
    #expect(throws: FFmpegError.self) { try graph.get() }
    // The error took it along.
    #expect(LibraryLog.takeLastError() == nil)
  }

  private static let format = AudioFormat(
    sampleRate: 48_000, sampleFormat: "fltp", channelLayout: "stereo")

  @Test func `every thread hears of its own errors only`() throws {
    let wrong = Wrong()
    let ended = DispatchSemaphore(value: 0)
    let names = ["alpha", "beta", "gamma", "delta"]
    for name in names {
      Thread.detachNewThread {
        for round in 0..<100 {
          let filter = "no\(name)\(round)"
          do throws(FFmpegError) {
            _ = try FilterGraph.audio(filter, from: [Self.format])
            wrong.add("\(filter) was accepted")
          } catch {
            let detail = error.detail ?? "nothing"
            if detail != "No such filter: '\(filter)'" { wrong.add("\(filter): \(detail)") }
          }
        }
        ended.signal()
      }
    }
    for _ in names { #expect(ended.wait(timeout: .now() + 20) == .success) }
    #expect(wrong.lines == [])
  }

  private final class Wrong: @unchecked Sendable {
    // Sound: only touched under the lock.
    private let lock = NSLock()
    private var stored: [String] = []
    func add(_ line: String) { lock.withLock { stored.append(line) } }
    var lines: [String] { lock.withLock { stored } }
  }
}
