internal import Foundation
internal import ReelsModel

/// How good a file of a given size is: ours under each cap, against ffmpeg's two passes at the same
/// bytes.
struct SizeScenario {
  let bench: Bench

  func run() throws -> Report {
    var report = Report(.size)
    report.skip([.twoPassMedium], lackedBy: bench.tools)
    do {
      try Command(bench.tools.package.appending(path: "benchmarks/setup").path, []).run()
    } catch {
      report.skip("VMAF and SSIM", "\(error)")
    }
    for clip in try bench.clips() {
      for cap in bench.options.caps {
        do {
          try measure(clip, cap, into: &report)
        } catch {
          bench.log("\(clip.lastPathComponent): \(error)")
          report.skip("\(clip.lastPathComponent) below \(cap)", "\(error)")
        }
      }
    }
    return report
  }

  /// How near to our bytes the other's must be, and how often it is asked again.
  private static let (sameSize, attempts) = (0.01, 3)

  private func measure(_ clip: URL, _ cap: ByteCount, into report: inout Report) throws {
    bench.log("\(clip.lastPathComponent) below \(cap)")
    let ours = ReelsPrepCommand([clip], bench: bench, cap: cap)
    let target = try ours.target()
    let folder = try bench.emptyFolder("ours")
    var contestants = [ours.contestant(into: folder)]
    // Two passes miss the size that they are asked for by up to a tenth on a short clip: they are asked
    // again, and the last attempt counts. Ours ran first, and gives the same bytes in every round.
    var asked = 1.0
    let peer = PeerRun(bench: bench, peer: .twoPassMedium, target: target) {
      let bytes = try ReelsPrepCommand.video(in: folder).fileBytes
      return target.videoRate(fileBytes: Double(bytes)) * asked
    }
    let equal = Race.Contestant(name: peer.peer.name) {
      var sample = try peer.run()
      for _ in 0..<Self.attempts {
        let bytes = try ReelsPrepCommand.video(in: folder).fileBytes
        let ratio = Double(bytes) / Double(max(1, sample.bytes ?? 1))
        if abs(ratio - 1) < Self.sameSize { break }
        asked *= ratio
        sample = try peer.run()
      }
      return sample
    }
    if peer.peer.isAvailable(bench.tools) { contestants.append(equal) }
    let race = Race(contestants, rounds: bench.options.rounds, log: bench.log)
    guard race.names.contains(ours.name) else {
      throw BenchError(race.failures.first?.why ?? "nothing was made")
    }

    var notes: [String: [String: JSONValue]] = [:]
    let videos = [
      (ours.name, try ReelsPrepCommand.video(in: folder), true),
      (peer.peer.name, peer.output, false),
    ]
    for (name, video, isConverted) in videos where race.names.contains(name) {
      do {
        let quality = try Quality.measure(
          video, of: target, isConverted: isConverted, bench: bench)
        bench.log("\(name): VMAF \(quality.vmafMean.formatted(decimals: 2))")
        notes[name] = ["quality": quality.json]
      } catch {
        report.skip("VMAF of \(name) on \(clip.lastPathComponent)", "\(error)")
      }
    }
    report.add(
      race, pairs: [Race.Pair(name: ours.name, base: peer.peer.name)],
      clip: clip.lastPathComponent, adding: ["capBytes": .count(cap.value)], notes: notes)
  }
}
