internal import Foundation
internal import ReelsModel

/// What a second processor and more files bring.
struct ScalingScenario {
  let bench: Bench

  func run() throws -> Report {
    var report = Report(.scaling)
    report.skip([.onePass], lackedBy: bench.tools)
    let clip = try bench.clip()
    try addProcessors(clip, to: &report)
    try addFiles(clip, to: &report)
    return report
  }

  /// On one processor and on two.
  private func addProcessors(_ clip: URL, to report: inout Report) throws {
    guard let taskset = bench.tools.find("taskset") else {
      report.skip("1 and 2 processors", "taskset is not installed")
      return
    }
    guard ProcessInfo.processInfo.activeProcessorCount >= 2 else {
      report.skip("1 and 2 processors", "the machine has one")
      return
    }
    let ours = ReelsPrepCommand([clip], bench: bench)
    let target = try ours.target()
    let folder = try bench.emptyFolder("ours")
    let output = bench.scratch.appending(path: "peer.mp4")
    let peer = Peer.onePass.commands(target, videoRate: 0, output: output, tools: bench.tools).first
    var contestants: [Race.Contestant] = []
    func pinned(_ command: Command, _ processors: String) -> Command {
      Command(taskset, ["-c", processors, command.executable] + command.arguments)
    }
    for (processors, label) in [("0", "1 processor"), ("0,1", "2 processors")] {
      contestants.append(
        Race.Contestant(name: "\(ours.name), \(label)") {
          try ours.sample(pinned(ours.command(output: folder), processors).run())
        })
      guard let peer else { continue }
      contestants.append(
        Race.Contestant(name: "\(Peer.onePass.name), \(label)") {
          let outcome = try pinned(peer, processors).run()
          return Race.Sample(usage: outcome.usage, bytes: try output.fileBytes)
        })
    }
    let pairs = [ours.name, Peer.onePass.name].map {
      Race.Pair(name: "\($0), 2 processors", base: "\($0), 1 processor")
    }
    let race = Race(contestants, rounds: bench.options.rounds, log: bench.log)
    report.add(race, pairs: pairs, clip: clip.lastPathComponent)
  }

  /// One file, and several of the same content.
  private func addFiles(_ clip: URL, to report: inout Report) throws {
    var contestants: [Race.Contestant] = []
    var pairs: [Race.Pair] = []
    let loop = "\(Peer.onePass.name), a shell loop"
    let ours = ReelsPrepCommand([clip], bench: bench).name
    for count in [1, 2, 4, 8] {
      let copies = try bench.emptyFolder("files-\(count)")
      for number in 1...count {
        try FileManager.default.copyItem(
          at: clip, to: copies.appending(path: "\(number).\(clip.pathExtension)"))
      }
      let command = ReelsPrepCommand([copies], bench: bench)
      let folder = try bench.emptyFolder("ours-\(count)")
      let label = count == 1 ? "1 file" : "\(count) files"
      contestants.append(
        Race.Contestant(name: "\(ours), \(label)") { try command.run(into: folder) })
      if Peer.onePass.isAvailable(bench.tools) {
        let shell = ShellLoop(bench: bench, peer: .onePass, targets: try command.targets())
        contestants.append(Race.Contestant(name: "\(loop), \(label)") { try shell.run() })
        pairs.append(Race.Pair(name: "\(ours), \(label)", base: "\(loop), \(label)"))
      }
      if count > 1 {
        pairs += [ours, loop].map { Race.Pair(name: "\($0), \(label)", base: "\($0), 1 file") }
      }
    }
    let race = Race(contestants, rounds: bench.options.rounds, log: bench.log)
    report.add(race, pairs: pairs, clip: clip.lastPathComponent)
  }
}
