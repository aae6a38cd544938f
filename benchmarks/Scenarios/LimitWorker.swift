internal import Foundation
internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Decodes, scales and encodes as a plan says, in one thread, and does nothing else: no sound, no
/// file, no check. It runs as a process of its own, so that it can be measured.
struct LimitWorker {
  /// The first argument that asks for it.
  static let word = "limit-worker"

  let input: FilePath
  let plan: VideoPlan

  init(input: FilePath, plan: VideoPlan) {
    self.input = input
    self.plan = plan
  }

  init(parsing arguments: [String]) throws {
    guard arguments.count == 2 else { throw BenchError("\(Self.word) takes a file and a plan") }
    input = FilePath(arguments[0])
    plan = try JSONDecoder().decode(VideoPlan.self, from: Data(arguments[1].utf8))
  }

  func arguments() throws -> [String] {
    guard plan.geometry.orientation == .upright, plan.color.toneMap == .none, !plan.deinterlace
    else { throw BenchError("the limit takes an upright, progressive SDR clip") }
    return [
      Self.word, input.string, String(decoding: try JSONEncoder().encode(plan), as: UTF8.self),
    ]
  }

  /// Does the work and prints the bytes of the encoded pictures.
  func run() throws {
    var reader = try VideoReader.open(
      input, stream: plan.stream, entry: nil, threads: 1,
      interrupt: Interrupt())
    let encoder = try Encoder.h264(
      size: plan.geometry.canvas, frameRate: plan.frameRate, encoding: plan.encoding)
    var graph: FilterGraph?
    var (sent, bytes) = (0, 0)

    func drain() throws {
      while case .value(let packet) = try encoder.receive() { bytes += packet.byteCount }
    }
    func encode(_ frame: borrowing Frame) throws {
      frame.forgetPictureType()
      frame.pts = Int64(sent)
      try encoder.send(frame)
      sent += 1
      try drain()
    }

    while sent < plan.sourceFrames, let picture = try reader.next() {
      if picture.time < plan.start { continue }
      guard picture.frame.size != plan.geometry.canvas else {
        try encode(picture.frame)
        continue
      }
      if graph == nil {
        graph = try FilterGraph.video(
          scaling, from: picture.frame.videoFormat(timeBase: reader.timeBase), threads: 1)
      }
      try graph?.send(picture.frame)
      while let pull = try graph?.receive(), case .value(let frame) = pull { try encode(frame) }
    }
    try encoder.sendEnd()
    try drain()
    print(bytes, terminator: "")
  }

  private var scaling: String {
    let size = plan.geometry.canvas
    return Capabilities.hasFilter("zscale")
      ? "zscale=w=\(size.width):h=\(size.height):f=lanczos,format=yuv420p"
      : "scale=\(size.width):\(size.height):flags=lanczos,format=yuv420p"
  }
}
