import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsFFmpeg

/// Decoder, encoders and muxer, one after the other in a plain loop.
@Suite(.enabled(if: Clip.isPossible)) struct RoundTripTests {
  private static let rate = Ratio(30)
  private static let encoding = VideoEncoding(
    effort: .fast, crf: 18, maximumRate: BitsPerSecond(2_000_000), bufferBits: 2_000_000,
    initialFill: 0.9, gopFrames: 60, level: 30, lookaheadFrames: 20)
  private static let audio = AudioPlan(
    streams: [1], sampleRate: 48_000, channels: 1, bitRate: BitsPerSecond(128_000),
    samples: 15_360)

  /// Decodes a stream of the numbered clip.
  private func decode(_ stream: Int, _ body: (borrowing Frame) throws -> Void) throws {
    let demuxer = try Demuxer.open(try Clip.numbered.get().filePath, interrupt: Interrupt())
    demuxer.select([stream])
    let decoder = try Decoder.open(demuxer, stream: stream, threads: 1)
    func drain() throws {
      while case .value(let frame) = try decoder.receive() { try body(frame) }
    }
    while case .value(let packet) = try demuxer.read() {
      try decoder.send(packet)
      try drain()
    }
    try decoder.sendEnd()
    try drain()
  }

  /// Writes the packets from 0 to the end: of the sound those before it are priming.
  private static func drain(
    _ encoder: borrowing Encoder, duration: Int64, into muxer: borrowing Muxer,
    _ track: Muxer.Track
  ) throws {
    while case .value(let packet) = try encoder.receive() {
      guard let time = packet.pts, (0..<15_360).contains(time) else { continue }
      packet.duration = duration
      try muxer.write(packet, to: track)
    }
  }

  private func write(to file: URL) throws {
    let video = try Encoder.h264(
      size: PixelSize(width: 64, height: 32), frameRate: Self.rate, encoding: Self.encoding)
    let audio = try Encoder.aac(Self.audio)
    #expect(audio.frameSize == 1_024)
    let muxer = try Muxer.create(file.filePath)
    let videoTrack = try muxer.addTrack(video, timeScale: 15_360)
    let audioTrack = try muxer.addTrack(audio, timeScale: 48_000)
    try muxer.begin(videoTimeScale: 15_360)

    var index: Int64 = 0
    try decode(0) { frame in
      let copy = try frame.shared()
      copy.forgetPictureType()
      copy.pts = index
      index += 1
      try video.send(copy)
      try Self.drain(video, duration: 1, into: muxer, videoTrack)
    }
    try video.sendEnd()
    try Self.drain(video, duration: 1, into: muxer, videoTrack)

    let queue = try SampleFifo(channels: 1, sampleRate: 48_000)
    try decode(1) { try queue.append($0, from: 0, limit: .max) }
    // One frame of priming before 0, which is dropped.
    var pts: Int64 = -1_024
    while pts < 15_360 {
      let frame = try queue.take(1_024)
      frame.pts = pts
      pts += 1_024
      try audio.send(frame)
      try Self.drain(audio, duration: 1_024, into: muxer, audioTrack)
    }
    try audio.sendEnd()
    try Self.drain(audio, duration: 1_024, into: muxer, audioTrack)
    try muxer.finish()
  }

  @Test func `ten frames and a tone become a file without an edit list`() throws {
    let folder = try TemporaryDirectory()
    let file = folder.file("out.mp4")
    try write(to: file)
    let oracle = try BoxOracle(file)
    #expect(!oracle.contains("elst") && !oracle.contains("edts"))
    #expect(oracle.isMoovFirst)
    // An empty list of tags is all the metadata there is.
    #expect(oracle.boxes.filter { $0.path.hasPrefix("moov/udta/meta/ilst/") }.isEmpty)
    #expect(oracle.all("moov/udta/meta/ilst").map(\.body.count) == [0])
    #expect(oracle.tracks.map(\.entries) == [["avc1"], ["mp4a"]])
    #expect(oracle.tracks.map(\.length.seconds) == [Ratio(1, 3), Ratio(8, 25)])
    #expect(oracle.tracks.map(\.isUpright) == [true, true])
    #expect(oracle.tracks[0].deltas.map(\.ticks) == [512])
    #expect(
      oracle.tracks[0].color
        == .init(primaries: 1, transfer: 1, matrix: 1, isFullRange: false))
    for editLists in EditLists.allCases {
      let readings = try NumberReader.read(file, editLists: editLists)
      #expect(readings.map(\.number) == (0..<10).map { $0 })
      #expect(readings.map(\.pts?.seconds) == (0..<10).map { Ratio($0, 30) })
      let sound = try DecodedAudio(file, editLists: editLists)
      #expect(sound.samples.count == 15_360)
      #expect(sound.time(of: 0) == 0)
      #expect((sound.samples.max() ?? 0) > 0.1)
    }
    // What the first box names the file.
    #expect(try Data(contentsOf: file)[8..<12] == Data("mp42".utf8))
  }

  @Test func `the same frames give the same bytes, whatever memory held before`() throws {
    let folder = try TemporaryDirectory()
    var seen: Set<Data> = []
    for round in 0..<16 {
      let file = folder.file("\(round).mp4")
      Self.fillMemory(with: UInt8(round * 16 + 1))
      try write(to: file)
      seen.insert(try Data(contentsOf: file))
    }
    #expect(seen.count == 1)
  }

  /// Leaves free memory full of one value, in pieces as large as an encoder asks for.
  private static func fillMemory(with value: UInt8) {
    var pieces: [UnsafeMutableRawPointer] = []
    for size in [200, 1_000, 4_000, 16_000, 60_000, 120_000] {
      for _ in 0..<40 {
        let piece = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        piece.initializeMemory(as: UInt8.self, repeating: value, count: size)
        pieces.append(piece)
      }
    }
    for piece in pieces { piece.deallocate() }
  }

  @Test func `a place that cannot be written to is an error of creating`() throws {
    let folder = try TemporaryDirectory()
    let error = #expect(throws: FFmpegError.self) {
      _ = try Muxer.create(folder.url.filePath.appending("missing/out.mp4"))
    }
    #expect(error?.operation == "create")
    #expect(error?.subject == "out.mp4")
    #expect(error?.code.errno == 2)
  }

  @Test func `an encoder's refusal names the encoder`() {
    let error = #expect(throws: FFmpegError.self) {
      _ = try Encoder.h264(
        size: PixelSize(width: 0, height: 32), frameRate: Self.rate, encoding: Self.encoding)
    }
    #expect(error?.subject == "libx264")
    #expect(error?.operation == "encode")
  }

  @Test func `stills are whole JPEG and PNG files`() throws {
    var jpeg: [UInt8] = []
    var png: [UInt8] = []
    try decode(0) { frame in
      guard jpeg.isEmpty else { return }
      for format in ["yuvj420p", "rgb24"] {
        let graph = try FilterGraph.video(
          "format=\(format)", from: frame.videoFormat(timeBase: Ratio(1, 30)), threads: 1)
        let copy = try frame.shared()
        copy.pts = 0
        try graph.send(copy)
        try graph.sendEnd()
        guard case .value(let still) = try graph.receive() else { continue }
        if format == "rgb24" {
          png = try Encoder.png(size: still.size, hasAlpha: false).encodeStill(still)
        } else {
          jpeg = try Encoder.jpeg(size: still.size, quality: 2).encodeStill(still)
        }
      }
    }
    #expect(jpeg.prefix(2) == [0xFF, 0xD8] && jpeg.suffix(2) == [0xFF, 0xD9])
    #expect(jpeg[6..<10] == [0x4A, 0x46, 0x49, 0x46], "JFIF")
    #expect(png.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
  }
}
