import ReelsFFmpeg
import ReelsModel
import ReelsPipeline
import TestSupport
import Testing

@Suite(.enabled(if: Clip.isPossible)) struct VideoReaderTests {
  private func times(
    _ path: FilePath, entry: MediaTime? = nil, seek: MediaTime? = nil
  ) throws -> [MediaTime] {
    var reader = try VideoReader.open(
      path, stream: 0, entry: entry, seek: seek, threads: 1, interrupt: Interrupt())
    var times: [MediaTime] = []
    while let picture = try reader.next() { times.append(picture.time) }
    #expect(reader.refusedPackets == 0)
    return times
  }

  @Test(arguments: ClipFormat.Container.allCases)
  func `all pictures come in the order of their times`(container: ClipFormat.Container) throws {
    let times = try times(try Clip.numbered(container))
    #expect(times.count == 75)
    #expect(zip(times, times.dropFirst()).allSatisfy(<))
  }

  @Test(arguments: ClipFormat.Container.allCases, [25, 2])
  func `decoding begins at the very key frame that was asked for`(
    container: ClipFormat.Container, gop: Int
  ) throws {
    let path = try Clip.numbered(container, gop: gop)
    let all = try times(path)
    var packets = try PacketReader.open(path, stream: 0, at: nil, interrupt: Interrupt())
    var keys: [(entry: MediaTime, seek: MediaTime)] = []
    while let packet = try packets.next() {
      guard packet.isKey, let time = packets.time(of: packet) else { continue }
      let decoded = packet.dts.map { MediaTime(ticks: $0, timeBase: packets.timeBase) }
      keys.append((time, min(decoded ?? time, time)))
    }
    #expect(keys.count >= 3)
    for key in keys.prefix(8) {
      let read = try times(path, entry: key.entry, seek: key.seek)
      #expect(read == all.filter { $0 >= key.entry }, "from \(key.entry)")
    }
  }

  @Test func `the first picture says how it is to be shown`() throws {
    var reader = try VideoReader.open(
      try Clip.numbered(.mp4), stream: 0, entry: nil, threads: 2, interrupt: Interrupt())
    let picture = try reader.next()
    guard let picture else {
      Issue.record("no picture")
      return
    }
    #expect(picture.frame.size == PixelSize(width: 64, height: 32))
    #expect(picture.frame.color == .bt709)
    #expect(picture.frame.pixelFormat?.name == "yuv420p")
    let facts = reader.facts(of: picture.frame)
    #expect(facts.sampleAspect == Ratio(1))
    #expect(facts.orientation == .upright)
  }

  @Test func `an interrupt ends the reading`() throws {
    let interrupt = Interrupt()
    let path = try Clip.numbered(.mp4)
    interrupt.request()
    let error = #expect(throws: FFmpegError.self) {
      _ = try VideoReader.open(path, stream: 0, entry: nil, threads: 1, interrupt: interrupt)
    }
    #expect(error?.code == .interrupted)
  }
}
