internal import Foundation
internal import ReelsModel
internal import ReelsPrep

/// What cannot be saved: our CPU against decoding, scaling and encoding alone, with the same
/// parameters.
struct LimitScenario {
  let bench: Bench

  func run() async throws -> Report {
    var report = Report(.limit)
    let clip = try bench.clip()
    var contestants: [Race.Contestant] = []
    var pairs: [Race.Pair] = []
    for effort in Effort.allCases {
      let ours = ReelsPrepCommand([clip], bench: bench, effort: effort)
      let worker = LimitWorker(input: FilePath(clip.path), plan: try await plan(clip, effort).video)
      let command = Command(bench.tools.bench, try worker.arguments())
      let name = "decode, scale, encode: \(effort.rawValue)"
      contestants.append(ours.contestant(into: try bench.emptyFolder("ours-\(effort.rawValue)")))
      contestants.append(
        Race.Contestant(name: name) {
          let outcome = try command.run()
          return Race.Sample(usage: outcome.usage, bytes: Int64(outcome.text))
        })
      pairs.append(Race.Pair(name: ours.name, base: name))
    }
    let race = Race(contestants, rounds: bench.options.rounds, log: bench.log)
    report.add(race, pairs: pairs, clip: clip.lastPathComponent)
    return report
  }

  private func plan(_ clip: URL, _ effort: Effort) async throws -> Plan {
    let millionths = Int64(bench.options.seconds * 1e6)
    let request = Request(
      input: FilePath(clip.path), outputDirectory: FilePath(bench.scratch.path),
      duration: MediaTime(ticks: millionths, timeBase: Ratio(1, 1_000_000)),
      maxSize: bench.options.cap, effort: effort)
    return try await ReelsPrep().plan(request).plan
  }
}
