internal import Foundation
internal import ReelsModel

/// What it costs that a part lies an hour into its file: the same pictures there and at the start.
struct SeekScenario {
  let bench: Bench

  private static let hour = 3600.0

  func run() throws -> Report {
    var report = Report(.seek)
    report.skip([.onePass], lackedBy: bench.tools)
    let clip = try bench.clip()
    let file = try long(clip)
    let atStart = ReelsPrepCommand([file], bench: bench)
    var atHour = atStart
    atHour.start = Self.hour
    var contestants: [Race.Contestant] = []
    var pairs: [Race.Pair] = []
    for (place, ours) in [("at the start", atStart), ("at 1 h", atHour)] {
      let target = try ours.target()
      let folder = try bench.emptyFolder("ours")
      contestants.append(
        Race.Contestant(name: "\(ours.name), \(place)") { try ours.run(into: folder) })
      if Peer.onePass.isAvailable(bench.tools) {
        let peer = PeerRun(bench: bench, peer: .onePass, target: target) { 0 }
        contestants.append(
          Race.Contestant(name: "\(peer.peer.name), \(place)") { try peer.run() })
      }
    }
    for name in [atStart.name, Peer.onePass.name] {
      pairs.append(Race.Pair(name: "\(name), at 1 h", base: "\(name), at the start"))
    }
    let race = Race(contestants, rounds: bench.options.rounds, log: bench.log)
    report.add(
      race, pairs: pairs, clip: clip.lastPathComponent,
      adding: ["fileBytes": .count(try file.fileBytes)])
    return report
  }

  /// The clip at 2 Mbit/s, repeated without encoding until an hour and one part more are full.
  private func long(_ clip: URL) throws -> URL {
    let seconds = bench.options.seconds
    let name = clip.deletingPathExtension().lastPathComponent
    let folder = bench.tools.cache.appending(path: "long")
    let part = try ClipSet.made(
      folder.appending(path: "\(name)-\(seconds)s-part.mp4"),
      [
        "-nostdin", "-v", "error", "-y", "-i", clip.path, "-t", "\(seconds)", "-c:v", "libx264",
        "-preset", "veryfast", "-b:v", "2M", "-maxrate", "3M", "-bufsize", "4M", "-g", "60", "-c:a",
        "aac", "-b:a", "64k",
      ], bench: bench)
    let list = bench.scratch.appending(path: "long.txt")
    let repeats = Int((Self.hour / seconds).rounded(.up)) + 2
    try String(repeating: "file '\(part.path)'\n", count: repeats)
      .write(to: list, atomically: true, encoding: .utf8)
    return try ClipSet.made(
      folder.appending(path: "\(name)-\(seconds)s-long.mp4"),
      [
        "-nostdin", "-v", "error", "-y", "-f", "concat", "-safe", "0", "-i", list.path, "-c",
        "copy",
      ], bench: bench)
  }
}
