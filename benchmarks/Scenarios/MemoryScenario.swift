internal import Foundation
internal import ReelsModel

/// The memory that one clip takes: of the largest process, and of all together.
struct MemoryScenario {
  let bench: Bench

  func run() throws -> Report {
    var report = Report(.memory)
    report.skip(Peer.allCases, lackedBy: bench.tools)
    let clip = try bench.clip()
    let efforts = Effort.allCases.map { ReelsPrepCommand([clip], bench: bench, effort: $0) }
    let target = try ReelsPrepCommand([clip], bench: bench).target()
    let rate = bench.rateBelowCap(target)
    let peers = Peer.available(bench.tools)
    var contestants: [Race.Contestant] = []
    for effort in efforts {
      let folder = try bench.emptyFolder("ours-\(effort.effort.rawValue)")
      contestants.append(
        Race.Contestant(name: effort.name) { try effort.run(into: folder, watchingMemory: true) })
    }
    for peer in peers {
      let run = PeerRun(bench: bench, peer: peer, target: target) { rate }
      contestants.append(
        Race.Contestant(name: peer.name) { try run.run(watchingMemory: true) })
    }
    let race = Race(contestants, rounds: bench.options.rounds, log: bench.log)
    report.add(
      race,
      pairs: efforts.flatMap { effort in
        peers.map { Race.Pair(name: effort.name, base: $0.name) }
      },
      clip: clip.lastPathComponent)
    return report
  }
}
