internal import Foundation

/// The results of one scenario, as they are written to `results/<scenario>.json`.
struct Report {
  let scenario: Scenario
  private(set) var rows: [JSONValue] = []
  private(set) var skipped: [JSONValue] = []

  init(_ scenario: Scenario) { self.scenario = scenario }

  /// Adds a race over one clip, with the contestants that fell out of it.
  mutating func add(
    _ race: Race, pairs: [Race.Pair], clip: String, adding members: [String: JSONValue] = [:],
    notes: [String: [String: JSONValue]] = [:]
  ) {
    var row = race.json(pairs: pairs, adding: notes)
    row["clip"] = .string(clip)
    rows.append(.object(row.merging(members) { $1 }))
    for failure in race.failures { skip("\(failure.name) on \(clip)", failure.why) }
  }

  /// Names something that was not measured, and why.
  mutating func skip(_ name: String, _ why: String) {
    let entry: JSONValue = ["name": .string(name), "why": .string(why)]
    if !skipped.contains(entry) { skipped.append(entry) }
  }

  /// Names the peers that are not installed.
  mutating func skip(_ peers: [Peer], lackedBy tools: Tools) {
    for peer in peers where !peer.isAvailable(tools) {
      skip(peer.name, "\(peer.command) is not installed")
    }
  }

  /// Writes it with what the machine is and which versions ran.
  func write(to folder: URL, bench: Bench) throws {
    let document: JSONValue = [
      "scenario": .string(scenario.rawValue), "date": .string(Date.now.formatted(.iso8601)),
      "machine": Machine.json, "commit": bench.versions.commit, "versions": bench.versions.json,
      "settings": bench.options.json, "rows": .array(rows),
      "skipped": .array(skipped.map { bench.withoutPaths($0) }),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try (encoder.encode(document) + Data("\n".utf8))
      .write(to: folder.appending(path: "\(scenario.rawValue).json"))
  }
}
