import Foundation
import ReelsFFmpeg
import ReelsModel
import ReelsPipeline
import TestSupport
import Testing

/// What this process holds in memory.
private enum ResidentMemory {
  /// nil where the system does not tell.
  static var bytes: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return nil
    }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * Int(getpagesize()) }
  }
}

@Suite(.enabled(if: Clip.isPossible && ResidentMemory.bytes != nil))
struct ResidentMemoryTests {
  /// Other tests run at the same time, so of several rounds the one that grew least counts: a leak
  /// grows in each.
  private func leastGrowth(_ body: () throws -> Void) throws -> Int {
    for _ in 0..<10 { try body() }
    var least = Int.max
    for _ in 0..<5 {
      let before = ResidentMemory.bytes ?? 0
      for _ in 0..<40 { try body() }
      least = min(least, (ResidentMemory.bytes ?? 0) - before)
    }
    return least
  }

  @Test func `200 times open, decode and close leave nothing behind`() throws {
    let path = try Clip.numbered(.mp4)
    let growth = try leastGrowth {
      var reader = try VideoReader.open(
        path, stream: 0, entry: nil, threads: 1, interrupt: Interrupt())
      for _ in 0..<5 { _ = try reader.next() }
      let plan = AudioPlan(
        streams: [1], sampleRate: 48_000, channels: 2, bitRate: BitsPerSecond(0), samples: 4_800)
      let sound = try AudioSource.open(
        path, stream: 1, plan: plan, origin: .zero, interrupt: Interrupt())
      _ = try sound.take(4_800)
    }
    #expect(growth < 2_000_000, "\(growth) bytes in 40 rounds")
  }

  @Test func `200 failures to open leave nothing behind`() throws {
    let folder = try TemporaryDirectory()
    let file = folder.file("cut.mp4")
    try FileManager.default.copyItem(
      at: URL(filePath: try Clip.numbered(.mp4).string), to: file)
    try BoxPatch.truncate(file, to: 900)
    let path = file.filePath
    let format = AudioFormat(
      sampleRate: 48_000, sampleFormat: "fltp", channelLayout: "stereo")
    let growth = try leastGrowth {
      for _ in 0..<5 { _ = try? Demuxer.open(path, interrupt: Interrupt()) }
      for _ in 0..<40 {
        _ = try? FilterGraph.audio("anull,nosuchfilter", from: [format])
        _ = try? FilterGraph.audio("[in]anull[other]", from: [format])
      }
    }
    #expect(growth < 1_000_000, "\(growth) bytes in 40 rounds")
  }
}
