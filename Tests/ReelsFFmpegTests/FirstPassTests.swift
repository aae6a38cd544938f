import CReelsFFmpeg
import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsFFmpeg

/// What libx264 writes in a first pass, and what a second pass makes of it.
@Suite(.enabled(if: Clip.isPossible)) struct FirstPassTests {
  private static let small = PixelSize(width: 64, height: 32)
  private static let frames = 60
  private static let rate = Ratio(30)

  private static func encoding(crf: Double) -> VideoEncoding {
    var encoding = VideoEncoding(
      effort: .fast, crf: crf, maximumRate: BitsPerSecond(0), bufferBits: 0, initialFill: 0,
      gopFrames: 25, level: 30, lookaheadFrames: 20)
    encoding.limitsPeak = false
    return encoding
  }

  /// Sixty frames of a moving picture.
  private static func clip(in folder: TemporaryDirectory, size: PixelSize) throws -> FilePath {
    let file = folder.file("clip\(size.width).mkv")
    try Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=30", "-frames:v", "\(frames)",
      "-c:v", "ffv1", "-pix_fmt", "yuv420p", file.path(percentEncoded: false),
    ])
    return file.filePath
  }

  /// Encodes the clip.
  ///
  /// - Parameter guide: told the place of each frame.
  private static func packets(
    of clip: FilePath, size: PixelSize, crf: Double, pass: EncoderPass,
    guide: (Int, borrowing Frame) throws -> Void = { _, _ in }
  ) throws -> [(bytes: Int, isKey: Bool)] {
    let encoder = try Encoder.h264(
      size: size, frameRate: rate, encoding: encoding(crf: crf), pass: pass)
    let demuxer = try Demuxer.open(clip, interrupt: Interrupt())
    demuxer.select([0])
    let decoder = try Decoder.open(demuxer, stream: 0, threads: 1)
    var result: [(Int, Bool)] = []
    var place = 0
    func drain() throws {
      while case .value(let packet) = try encoder.receive() {
        result.append((packet.byteCount, packet.isKey))
      }
    }
    func encode() throws {
      while case .value(let frame) = try decoder.receive() {
        frame.forgetPictureType()
        frame.pts = Int64(place)
        try guide(place, frame)
        place += 1
        try encoder.send(frame)
        try drain()
      }
    }
    while case .value(let packet) = try demuxer.read() {
      try decoder.send(packet)
      try encode()
    }
    try decoder.sendEnd()
    try encode()
    try encoder.sendEnd()
    try drain()
    return result
  }

  /// A first pass's log and tree.
  private static func firstPass(
    in folder: TemporaryDirectory
  ) throws -> (log: [UInt8], tree: [UInt8]) {
    let clip = try clip(in: folder, size: small)
    let log = folder.file("pass")
    _ = try packets(of: clip, size: small, crf: 25, pass: .first(log: log.filePath))
    return (
      Array(try Data(contentsOf: log)), Array(try Data(contentsOf: folder.file("pass.mbtree")))
    )
  }

  @Test("libx264's log and tree are read whole: a decision for each frame, a tree for references")
  func reads() throws {
    let (log, tree) = try Self.firstPass(in: TemporaryDirectory())
    let pass = try #require(
      FirstPass(log: log, tree: tree, size: Self.small, frames: Self.frames))
    #expect(pass.decisions.count == Self.frames)
    #expect(pass.decisions.first?.kind == .intra)
    #expect(pass.decisions.contains { $0.kind == .predicted })
    // 4 x 2 macroblocks.
    #expect(pass.decisions.allSatisfy { $0.tree.isEmpty || $0.tree.count == 8 })
    #expect(pass.decisions.allSatisfy { $0.kind == .bidirectional || $0.tree.count == 8 })
    // What later frames rest on gets a finer quantiser, by at most a few tens of steps.
    let values = pass.decisions.flatMap(\.tree)
    #expect(values.contains { $0 < 0 })
    #expect(values.allSatisfy { abs(Int($0)) < 40 * 256 })
    // At most 25 frames from one IDR frame to the next.
    let keys = pass.decisions.indices.filter { pass.decisions[$0].kind == .intra }
    #expect(zip(keys, keys.dropFirst() + [Self.frames]).allSatisfy { $1 - $0 <= 25 })
  }

  @Test("A log that does not fit its tree, the size or the number of frames is not believed")
  func refuses() throws {
    let (log, tree) = try Self.firstPass(in: TemporaryDirectory())
    func pass(
      _ log: [UInt8], _ tree: [UInt8], _ size: PixelSize = Self.small,
      _ frames: Int = Self.frames
    ) -> FirstPass? { FirstPass(log: log, tree: tree, size: size, frames: frames) }
    #expect(pass(log, Array(tree.dropLast())) == nil)
    #expect(pass(log, tree + [0]) == nil)
    #expect(pass(log, [1] + tree.dropFirst()) == nil)
    #expect(pass(log, tree, PixelSize(width: 80, height: 32)) == nil)
    #expect(pass(log, tree, Self.small, Self.frames + 1) == nil)
    #expect(pass(log, tree, Self.small, Self.frames - 1) == nil)
    #expect(pass([], []) == nil)
    let half = Array(log.prefix(log.count / 2))
    #expect(pass(half, tree) == nil)
    let unknown = String(decoding: log, as: UTF8.self).replacing("type:P", with: "type:S")
    #expect(pass(Array(unknown.utf8), tree) == nil)
  }

  @Test("A second pass has the first one's IDR frames, and spends bits where the tree says")
  func guides() throws {
    let folder = try TemporaryDirectory()
    let (log, tree) = try Self.firstPass(in: folder)
    var pass = try #require(
      FirstPass(log: log, tree: tree, size: Self.small, frames: Self.frames))
    // Where neither the longest GOP nor a cut would put one.
    pass.decisions[7].kind = .intra
    let decisions = pass.decisions
    let large = PixelSize(width: 256, height: 128)
    let clip = try Self.clip(in: folder, size: large)
    let grid = FirstPass.Grid(size: Self.small)
    func total(adding steps: Int) throws -> (bytes: Int, keys: [Int]) {
      let packets = try Self.packets(of: clip, size: large, crf: 25, pass: .second) {
        place, frame in
        var decision = decisions[place]
        decision.tree = decision.tree.map { $0 + Int16(steps * 256) }
        try frame.guide(by: decision, grid: grid)
      }
      return (packets.reduce(0) { $0 + $1.bytes }, packets.indices.filter { packets[$0].isKey })
    }
    let plain = try total(adding: 0)
    #expect(plain.keys.contains(7))
    #expect(plain.keys == pass.decisions.indices.filter { pass.decisions[$0].kind == .intra })
    let coarse = try total(adding: 6)
    let fine = try total(adding: -6)
    // Six steps of the quantiser double or halve what is coded of the picture; headers stay.
    #expect(Double(coarse.bytes) < 0.8 * Double(plain.bytes))
    #expect(Double(fine.bytes) > 1.3 * Double(plain.bytes))
  }

  @Test(
    "Parts of all passes, efforts and peaks have one header, so that they can be joined",
    arguments: [Effort.fast, .balanced, .best])
  func headers(effort: Effort) throws {
    var headers: Set<[UInt8]> = []
    for (pass, limitsPeak) in [
      (EncoderPass.single, true), (.second, true), (.second, false),
    ] {
      for crf in [18.0, 40] {
        // The quality wanted may make balanced fast, and repairs balanced again.
        for effort in effort == .balanced ? [.balanced, .fast] : [effort] {
          var encoding = VideoEncoding(
            effort: effort, crf: crf, maximumRate: BitsPerSecond(10_000_000),
            bufferBits: 10_000_000, initialFill: 0.6, gopFrames: 60, level: 40, lookaheadFrames: 14)
          encoding.limitsPeak = limitsPeak
          let encoder = try Encoder.h264(
            size: PixelSize(width: 1_080, height: 1_920), frameRate: Self.rate, encoding: encoding,
            pass: pass)
          let context = encoder.context.pointee
          // x264 names itself and its settings in a message after the parameter sets (NAL type 6).
          let header = UnsafeBufferPointer(
            start: context.extradata, count: Int(context.extradata_size))
          headers.insert(Self.parameterSets(Array(header)))
        }
      }
    }
    #expect(headers.count == 1)
    #expect(try #require(headers.first).count > 20)
  }

  /// The NAL units of types 7 and 8, from Annex B with start codes of four bytes.
  private static func parameterSets(_ header: [UInt8]) -> [UInt8] {
    var (units, zeros): ([[UInt8]], Int) = ([], 0)
    for byte in header {
      if zeros >= 3, byte == 1 {
        units.append([])
      } else if !units.isEmpty {
        units[units.count - 1].append(byte)
      }
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return units.filter { [7, 8].contains(($0.first ?? 0) & 31) }.flatMap { $0 }
  }

  @Test("A small tree is laid over the large picture, corner on corner, and even in between")
  func interpolates() {
    let grid = FirstPass.Grid(size: PixelSize(width: 32, height: 32))
    let large = PixelSize(width: 256, height: 256)
    let tree: [Int16] = [0, 1_024, 2_048, 3_072]
    func value(_ column: Int, _ row: Int) -> Double {
      grid.offset(tree, column, grid.line(row, of: large), of: large)
    }
    #expect(value(0, 0) == 0)
    #expect(value(15, 0) == 4)
    #expect(value(0, 15) == 8)
    #expect(value(15, 15) == 12)
    #expect((0..<15).allSatisfy { value($0, 7) <= value($0 + 1, 7) })
    #expect(abs((value(7, 7) + value(8, 8)) / 2 - 6) < 1e-9)
  }
}
