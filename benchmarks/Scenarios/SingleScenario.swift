internal import Foundation
internal import ReelsModel

/// What one clip takes: each effort of ours against each peer. The peers' bit rate follows from the
/// cap.
struct SingleScenario {
  let bench: Bench

  func run() throws -> Report {
    var report = Report(.single)
    report.skip(Peer.allCases, lackedBy: bench.tools)
    let clip = try bench.clip()
    let efforts = Effort.allCases.map { ReelsPrepCommand([clip], bench: bench, effort: $0) }
    let target = try ReelsPrepCommand([clip], bench: bench).target()
    let rate = bench.rateBelowCap(target)
    let peers = Peer.available(bench.tools)
    var contestants: [Race.Contestant] = []
    for effort in efforts {
      contestants.append(
        effort.contestant(into: try bench.emptyFolder("ours-\(effort.effort.rawValue)")))
    }
    contestants += peers.map { peer in
      PeerRun(bench: bench, peer: peer, target: target) { rate }.contestant()
    }
    let race = Race(contestants, rounds: bench.options.rounds, log: bench.log)
    report.add(
      race,
      pairs: efforts.flatMap { effort in
        peers.map { Race.Pair(name: effort.name, base: $0.name) }
      },
      clip: clip.lastPathComponent, adding: ["capBytes": .count(bench.options.cap.value)])
    return report
  }
}

extension Bench {
  /// Bits a second of video with which a two-pass encode stays below the first cap, 2 % kept free
  /// for what the encoder misses, and at most what Reels takes.
  func rateBelowCap(_ target: Target) -> Double {
    min(25_000_000, target.videoRate(fileBytes: Double(options.cap.value) * 0.98))
  }
}
