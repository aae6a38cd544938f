import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

extension EndToEnd {
  /// AVCHD cameras write place, time and maker into the stream itself (user data with the identifier MDPM).
  @Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
  struct UserDataTests {
    @Test func `a place inside of the stream does not survive a copy`() async throws {
      let folder = try TemporaryDirectory()
      let plain = try CopyClip.make(in: folder)
      let file = try SourceClip.remux(
        plain, to: "camera.mp4",
        [
          "-c", "copy", "-bsf:v",
          "h264_metadata=sei_user_data=17ee8c60f84d11d98cd60800200c9a66+MDPM48.8577N2.2950E",
        ], in: folder)
      let made = try await Prepared.make(file, in: folder)
      let bytes = try Data(contentsOf: made.video)
      #expect(bytes.range(of: Data("48.8577N".utf8)) == nil)
    }
  }
}
