import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPipeline

/// The ranges of one job are made at the same time.
@Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clip"))
struct LaneTests {
  @Test(arguments: [1, 2])
  func `two lanes are under way at once, where there are threads for them`(threads: Int)
    async throws
  {
    let folder = try TemporaryDirectory()
    var job = Job(
      input: try Clip.numbered(.mp4), output: folder.file("out.mp4").filePath)
    (job.ranges, job.threads) = ([0, 25, 50], threads)
    var transcode = job.transcode()
    let meeting = Meeting()
    // Each lane asks for its filters before its first picture: the first to come waits.
    transcode.recipe = { _ in
      meeting.arrive(timeout: threads > 1 ? 30 : 0.3)
      return PictureRecipe("null")
    }
    let result = try await transcode.run()
    #expect(result.framesEncoded == 75)
    #expect(meeting.hasHappened == (threads > 1))
  }
}

/// Where two threads wait for each other.
private final class Meeting: @unchecked Sendable {
  // Sound to share: everything mutable is only touched under the condition's lock.
  private let condition = NSCondition()
  private var present = 0
  private var happened = false

  var hasHappened: Bool {
    condition.lock()
    defer { condition.unlock() }
    return happened
  }

  func arrive(timeout: Double) {
    condition.lock()
    defer { condition.unlock() }
    present += 1
    if present > 1 {
      happened = true
      condition.broadcast()
    }
    let end = Date(timeIntervalSinceNow: timeout)
    while !happened, condition.wait(until: end) {}
    present -= 1
  }
}
