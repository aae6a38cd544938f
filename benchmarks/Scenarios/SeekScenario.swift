internal import Foundation
internal import ReelsModel

/// What it costs that a part lies an hour into its file: the same pictures there and at the start.
struct SeekScenario {
  let bench: Bench

  func run() throws -> Report {
    var report = Report(.seek)
    report.skip([.onePass], lackedBy: bench.tools)
    let clip = try bench.clip()
    let seconds = try ReelsPrepCommand([clip], bench: bench).target().seconds
    // The first repetition that begins an hour into the file or later.
    let repeats = Int((3600 / seconds).rounded(.up))
    let file = try long(clip, seconds: seconds, parts: repeats + 2)
    let atStart = ReelsPrepCommand([file], bench: bench)
    var atHour = atStart
    atHour.start = Double(repeats) * seconds
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

  /// The clip at 2 Mbit/s, repeated without encoding.
  private func long(_ clip: URL, seconds: Double, parts: Int) throws -> URL {
    let name = clip.deletingPathExtension().lastPathComponent
    let folder = bench.tools.cache.appending(path: "long")
    let part = try ClipSet.made(
      folder.appending(path: "\(name)-\(seconds)s-part.mp4"),
      [
        "-nostdin", "-v", "error", "-y", "-i", clip.path, "-t", "\(seconds)", "-c:v", "libx264",
        "-preset", "veryfast", "-b:v", "2M", "-maxrate", "3M", "-bufsize", "4M", "-g", "60",
        // Sound that ends first leaves the parts exactly as long as their pictures.
        "-af", "atrim=end=\(seconds - 0.1)", "-c:a", "aac", "-b:a", "64k",
      ], bench: bench)
    let list = bench.scratch.appending(path: "long.txt")
    try String(repeating: "file '\(part.path)'\n", count: parts)
      .write(to: list, atomically: true, encoding: .utf8)
    return try ClipSet.made(
      folder.appending(path: "\(name)-\(seconds)s-long.mp4"),
      [
        "-nostdin", "-v", "error", "-y", "-f", "concat", "-safe", "0", "-i", list.path,
        "-c", "copy",
      ], bench: bench)
  }
}
