internal import Foundation
internal import ReelsModel

/// A clip that needs no encode: ours against ffmpeg's copy with a hash and a flush to the disk.
struct CopyScenario {
  let bench: Bench

  func run() throws -> Report {
    var report = Report(.copy)
    guard let ffmpeg = bench.tools.ffmpeg else {
      throw BenchError("copy needs the ffmpeg command to compare with")
    }
    let clip = try bench.clip()
    // Prepared once, a clip fulfils every rule.
    let prepared = try bench.emptyFolder("prepared")
    _ = try ReelsPrepCommand([clip], bench: bench).run(into: prepared)
    let input = try ReelsPrepCommand.video(in: prepared)
    let ours = ReelsPrepCommand([input], bench: bench)
    let output = bench.scratch.appending(path: "copy.mp4")
    let script = bench.scratch.appending(path: "copy.sh")
    let copy = Command(
      ffmpeg,
      [
        "-nostdin", "-v", "error", "-y", "-i", input.path, "-c", "copy", "-map", "0", "-movflags",
        "+faststart", output.path,
      ])
    try """
    set -e
    \(copy.shell)
    if command -v sha256sum >/dev/null; then sha256sum '\(output.path)'
    else shasum -a 256 '\(output.path)'; fi
    sync '\(output.path)' 2>/dev/null || sync
    """.write(to: script, atomically: true, encoding: .utf8)
    let peer = Race.Contestant(name: "ffmpeg copy, sha256, sync") {
      let outcome = try Command("/bin/sh", [script.path]).run()
      return Race.Sample(usage: outcome.usage, bytes: try output.fileBytes)
    }
    let race = Race(
      [ours.contestant(into: try bench.emptyFolder("ours")), peer], rounds: bench.options.rounds,
      log: bench.log)
    report.add(
      race, pairs: [Race.Pair(name: ours.name, base: peer.name)], clip: clip.lastPathComponent)
    return report
  }
}
