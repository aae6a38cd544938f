internal import Foundation

/// A peer at work on one target.
struct PeerRun {
  let bench: Bench
  let peer: Peer
  let target: Target
  /// Bits a second, asked for when the run begins: it may follow from what ours made.
  let videoRate: () throws -> Double

  /// Where its output goes.
  var output: URL { bench.scratch.appending(path: "\(peer.rawValue).mp4") }

  func run(watchingMemory: Bool = false) throws -> Race.Sample {
    let commands = peer.commands(
      target, videoRate: try videoRate(), output: output, tools: bench.tools)
    var usage = Usage.none
    for command in commands {
      usage = try usage + command.run(watchingMemory: watchingMemory).usage
    }
    return Race.Sample(usage: usage, bytes: try output.fileBytes)
  }

  func contestant() -> Race.Contestant { Race.Contestant(name: peer.name) { try run() } }
}

extension URL {
  /// The file's size.
  var fileBytes: Int64 {
    get throws {
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
      guard let size else { throw BenchError("\(lastPathComponent) has no size") }
      return size.int64Value
    }
  }
}
