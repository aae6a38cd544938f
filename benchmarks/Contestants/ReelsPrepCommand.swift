internal import Foundation
internal import ReelsModel

/// Our side: the command as it is released, from start to end.
struct ReelsPrepCommand: Sendable {
  let bench: Bench
  /// Paths of files and folders.
  var inputs: [String]
  var effort: Effort = .balanced
  var cap: ByteCount
  /// Seconds into the source.
  var start = 0.0

  init(_ inputs: [URL], bench: Bench, effort: Effort = .balanced, cap: ByteCount? = nil) {
    self.bench = bench
    self.inputs = inputs.map(\.path)
    self.effort = effort
    self.cap = cap ?? bench.options.cap
  }

  var name: String { "reels-prep \(effort.rawValue)" }

  func command(output: URL, dryRun: Bool = false) -> Command {
    Command(
      bench.tools.reelsPrep,
      inputs + ["-o", output.path, "--json", "--quiet", "--overwrite"]
        + ["--effort", effort.rawValue, "--max-size", "\(cap.value)"]
        + ["--duration", "\(bench.options.seconds)"] + (start > 0 ? ["--start", "\(start)"] : [])
        + (dryRun ? ["--dry-run"] : []))
  }

  /// What it would make of the inputs.
  ///
  /// - Throws: `BenchError` with what the command said, where it would make nothing.
  func targets() throws -> [Target] {
    let outcome = try command(output: bench.scratch.appending(path: "plan"), dryRun: true).run()
    return Self.events(outcome).compactMap(Target.init(planned:))
  }

  func target() throws -> Target {
    guard let target = try targets().first else {
      throw BenchError("reels-prep says nothing of a plan")
    }
    return target
  }

  /// One run into `folder`.
  func run(into folder: URL, watchingMemory: Bool = false) throws -> Race.Sample {
    try sample(command(output: folder).run(watchingMemory: watchingMemory))
  }

  func contestant(into folder: URL) -> Race.Contestant {
    Race.Contestant(name: name) { try run(into: folder) }
  }

  /// The bytes and the work of the payloads that a run made.
  func sample(_ outcome: Command.Outcome) throws -> Race.Sample {
    let payloads = Self.events(outcome).compactMap { event in
      event["type"]?.string == "finished" ? event["manifest"] : nil
    }
    guard !payloads.isEmpty else { throw BenchError("reels-prep made nothing") }
    func sum(_ figure: (JSONValue) -> Double?) -> Double {
      payloads.compactMap(figure).reduce(0, +)
    }
    let bytes = sum { $0["files"]?.array?.first { $0["name"] == "video.mp4" }?["bytes"]?.number }
    let (encoded, out) = (
      sum { $0["work"]?["framesEncoded"]?.number }, sum { $0["work"]?["framesOut"]?.number }
    )
    var notes: [String: JSONValue] = [
      "framesEncoded": .rounded(encoded), "framesOut": .rounded(out),
      "encodesPerFrame": .rounded(out > 0 ? encoded / out : 0),
    ]
    if payloads.count == 1, let share = payloads[0]["work"]?["capShare"]?.number {
      notes["capShare"] = .rounded(share)
    }
    return Race.Sample(usage: outcome.usage, bytes: Int64(bytes), notes: notes)
  }

  /// The video that a run into `folder` made.
  static func video(in folder: URL) throws -> URL {
    let payload = try Bench.files(in: folder).first { $0.pathExtension == "reel" }
    guard let payload else { throw BenchError("there is no payload") }
    return payload.appending(path: "video.mp4")
  }

  private static func events(_ outcome: Command.Outcome) -> [JSONValue] {
    outcome.output.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(JSONValue.self, from: $0)
    }
  }
}
