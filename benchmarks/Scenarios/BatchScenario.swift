internal import Foundation
internal import ReelsModel

/// A folder of clips: the whole command against a shell that runs ffmpeg for one after the other.
struct BatchScenario {
  let bench: Bench

  func run() throws -> Report {
    var report = Report(.batch)
    let peers: [Peer] = [.twoPassMedium, .onePass]
    report.skip(peers, lackedBy: bench.tools)
    let ours = ReelsPrepCommand(try inputs(), bench: bench)
    let targets = try ours.targets()
    var contestants = [ours.contestant(into: try bench.emptyFolder("ours"))]
    let loops = peers.filter { $0.isAvailable(bench.tools) }.map {
      ShellLoop(bench: bench, peer: $0, targets: targets)
    }
    contestants += loops.map { $0.contestant() }
    let race = Race(contestants, rounds: bench.options.rounds, log: bench.log)
    report.add(
      race, pairs: loops.map { Race.Pair(name: ours.name, base: $0.name) },
      clip: "\(targets.count) clips",
      adding: [
        "clips": .array(
          targets.map { .string(URL(filePath: $0.input).lastPathComponent) })
      ])
    return report
  }

  private func inputs() throws -> [URL] {
    if let clip = bench.options.clip { return [URL(filePath: clip)] }
    if let folder = bench.options.clipFolder { return [URL(filePath: folder)] }
    return [try ClipSet(bench: bench).directory()]
  }
}
