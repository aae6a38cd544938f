internal import Foundation

/// A peer run by a shell for one input after the other, with the bit rate that the cap allows each.
struct ShellLoop {
  let bench: Bench
  let peer: Peer
  let targets: [Target]

  var name: String { "\(peer.name), a shell loop" }

  func run() throws -> Race.Sample {
    let folder = try bench.emptyFolder("loop-\(peer.rawValue)")
    let outputs = targets.indices.map { folder.appending(path: "\($0).mp4") }
    let lines = zip(targets, outputs).flatMap { target, output in
      peer.commands(
        target, videoRate: bench.rateBelowCap(target), output: output, tools: bench.tools)
    }
    let script = folder.appending(path: "loop.sh")
    try (["set -e"] + lines.map(\.shell)).joined(separator: "\n")
      .write(to: script, atomically: true, encoding: .utf8)
    let outcome = try Command("/bin/sh", [script.path]).run()
    return Race.Sample(
      usage: outcome.usage, bytes: try outputs.reduce(0) { try $0 + $1.fileBytes })
  }

  func contestant() -> Race.Contestant { Race.Contestant(name: name) { try run() } }
}
