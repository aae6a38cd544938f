import Foundation
import ReelsModel
import TestSupport
import Testing

@Suite(.enabled(if: Tool.ffprobe.isAvailable && Tool.mediainfo.isAvailable)) struct ProbeTests {
  @Test func `ffprobe and mediainfo tell what is in a clip`() throws {
    let folder = try TemporaryDirectory()
    let file = try NumberedClip(
      .constant(Ratio(24), frames: 48), format: ClipFormat(gopFrames: 24), hasTone: true
    ).write(in: folder)
    let probe = try Probe(file, packets: true, frames: true, counting: true)
    let video = try #require(probe.video)
    #expect(video.codecName == "h264" && video.pixFmt == "yuv420p" && video.colorRange == "tv")
    #expect(video.avgFrameRate == "24/1" && video.tick == Ratio(1, 90_000))
    #expect(video.nbReadFrames == "48")
    #expect(probe.packets(of: video).filter(\.isKey).count == 2)
    #expect(probe.frames?.filter { $0.mediaType == "video" }.count == 48)
    #expect(probe.audio?.codecName == "aac" && probe.audio?.sampleRate == "48000")
    let report = try MediaInfoReport(file)
    #expect(report.general?["IsStreamable"] == "No")
    #expect(report.video?["FrameRate_Mode"] == "CFR" && report.audio?["Format"] == "AAC")
  }
}
