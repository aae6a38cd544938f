import ReelsFFmpeg
import ReelsModel
import ReelsPipeline
import TestSupport
import Testing

@Suite(.enabled(if: Clip.isPossible)) struct PacketReaderTests {
  /// The presentation times of all packets from where a reader begins, and when the first of them
  /// is decoded. Behind a seek, Matroska's B-frames have no decoding times.
  private func times(
    _ path: FilePath, stream: Int, at time: MediaTime?
  ) throws -> (decoded: MediaTime?, shown: [MediaTime]) {
    var reader = try PacketReader.open(path, stream: stream, at: time, interrupt: Interrupt())
    var decoded: MediaTime?
    var shown: [MediaTime] = []
    while let packet = try reader.next() {
      let ticks = packet.dts ?? packet.pts
      if shown.isEmpty {
        decoded = ticks.map { MediaTime(ticks: $0, timeBase: reader.timeBase) }
      }
      if let time = reader.time(of: packet) { shown.append(time) }
    }
    return (decoded, shown)
  }

  @Test(arguments: ClipFormat.Container.allCases, [0, 1])
  func `from any time on the packets are the one decoded at it and all that follow`(
    container: ClipFormat.Container, stream: Int
  ) throws {
    let path = try Clip.numbered(container)
    let all = try times(path, stream: stream, at: nil)
    #expect(all.shown.count >= (stream == 0 ? 75 : 100))
    let first = try #require(all.decoded)
    for tenths in stride(from: Int64(-5), through: 31, by: 4) {
      let time = first + MediaTime(ticks: tenths, timeBase: Ratio(1, 10))
      let read = try times(path, stream: stream, at: time)
      let start = try #require(read.decoded, "nothing from \(time) on")
      #expect(start <= max(time, first), "\(time): begins at \(start)")
      #expect(read.shown == all.shown.suffix(read.shown.count), "\(time): something is left out")
    }
  }
}
