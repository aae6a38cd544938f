import Foundation
import ReelsFFmpeg
import ReelsModel
import TestSupport
import Testing

@Suite(.enabled(if: Clip.isPossible)) struct DemuxerTests {
  @Test func `a file is opened by its content, whatever its name`() throws {
    let folder = try TemporaryDirectory()
    for name in [
      "a.txt", "no extension", "%03d.mp4", "a?b#c&d=1.mp4", "two\nlines.mp4", "concat:a|b.mp4",
      " .mp4", "🎞️ é.mp4", "file:x.mp4", "x,y;z'\".mp4", "list.m3u8", "script.ffconcat",
    ] {
      let path = try Clip.copy(named: name, in: folder)
      let demuxer = try Demuxer.open(path, interrupt: Interrupt())
      #expect(demuxer.formatName == "mov", "\(name)")
      #expect(demuxer.streamCount == 2)
    }
  }

  @Test func `a relative name that looks like a protocol or an option is a file's name`() throws {
    let id = UUID().uuidString.prefix(8)
    for name in ["http:reels-\(id).mp4", "-reels-\(id).mp4", "pipe:reels-\(id)", "data:\(id),x"] {
      let url = URL(filePath: FileManager.default.currentDirectoryPath).appending(path: name)
      try FileManager.default.copyItem(at: try Clip.numbered.get(), to: url)
      defer { try? FileManager.default.removeItem(at: url) }
      let demuxer = try Demuxer.open(FilePath(name), interrupt: Interrupt())
      #expect(demuxer.streamCount == 2, "\(name)")
    }
  }

  @Test func `a name may be any bytes`() throws {
    let folder = try TemporaryDirectory()
    let plain = try Clip.copy(named: "plain.mp4", in: folder)
    let path = folder.url.filePath.appending(
      FilePath(bytes: [0xFF, 0xFE, 0x80] + Array(".mp4".utf8)))
    try #require(rename(plain.cString, path.cString) == 0, "this file system wants UTF-8")
    let demuxer = try Demuxer.open(path, interrupt: Interrupt())
    #expect(demuxer.streamCount == 2)
    #expect(demuxer.subject.hasSuffix(".mp4"))
  }

  @Test func `a pattern for still pictures is not expanded`() throws {
    let folder = try TemporaryDirectory()
    for number in 1...3 {
      try Tool.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", "color=s=16x16:d=0.04", "-frames:v", "1",
        folder.file("img00\(number).png").path,
      ])
    }
    for pattern in ["img%03d.png", "img*.png", "img00[1-3].png"] {
      let error = #expect(throws: FFmpegError.self) {
        _ = try Demuxer.open(folder.url.filePath.appending(pattern), interrupt: Interrupt())
      }
      #expect(error?.code.errno == 2, "\(pattern)")
    }
    let one = try Demuxer.open(
      folder.url.filePath.appending("img001.png"), interrupt: Interrupt())
    #expect(one.formatName == "png_pipe")
    var packets = 0
    while case .value = try one.read() { packets += 1 }
    #expect(packets == 1)
  }

  @Test func `what is no media is an error, not a crash`() throws {
    let folder = try TemporaryDirectory()
    for (name, bytes) in [
      ("empty.mp4", []), ("zero.mp4", [UInt8](repeating: 0, count: 70_000)),
      ("text.mp4", Array(String(repeating: "no video at all\n", count: 50).utf8)),
    ] as [(String, [UInt8])] {
      try Data(bytes).write(to: folder.file(name))
      let error = #expect(throws: FFmpegError.self) {
        _ = try Demuxer.open(folder.url.filePath.appending(name), interrupt: Interrupt())
      }
      #expect(error?.subject == name)
    }
  }

  @Test func `tracks, rate and duration are what the file says`() throws {
    let demuxer = try Demuxer.open(try Clip.numbered.get().filePath, interrupt: Interrupt())
    guard case .video(let video) = demuxer.tracks.first,
      case .audio(let audio) = demuxer.tracks.last
    else {
      Issue.record("\(demuxer.tracks)")
      return
    }
    #expect(video.codec == "h264" && video.isDecodable && video.index == 0)
    #expect(video.size == PixelSize(width: 64, height: 32))
    #expect(audio.codec == "aac" && audio.profile == "LC" && audio.sampleRate == 48_000)
    #expect(audio.channels == 1 && audio.channelLayout == "mono" && audio.index == 1)
    #expect(demuxer.statedFrameRate(of: 0) == Ratio(30))
    #expect(demuxer.statedFrameCount(of: 0) == 10)
    #expect(demuxer.timeBase(of: 0) == Ratio(1, 90_000))
    #expect(demuxer.timeBase(of: 2) == nil)
    #expect(demuxer.orientation(of: 7) == nil)
  }

  @Test func `only packets of selected streams are read`() throws {
    let demuxer = try Demuxer.open(try Clip.numbered.get().filePath, interrupt: Interrupt())
    demuxer.select([0])
    var pts: [Int64?] = []
    while case .value(let packet) = try demuxer.read() {
      #expect(packet.stream == 0)
      pts.append(packet.pts)
    }
    let rising = pts.compactMap { $0 }.sorted()
    #expect(rising == (0..<10).map { $0 * 3_000 })
    #expect(pts != rising, "B-frames come in decoding order")
  }
}
