internal import Foundation

/// Contestants that do the same work in turns, so that whatever else the machine does meets all of
/// them alike.
struct Race {
  /// One way of doing the work; each call does all of it once.
  struct Contestant {
    let name: String
    let run: () throws -> Sample
  }

  /// One run.
  struct Sample {
    var usage: Usage
    /// Of the outputs, together.
    var bytes: Int64?
    /// Figures of its own.
    var notes: [String: JSONValue] = [:]
  }

  /// Whose figures are divided by whose.
  struct Pair {
    let name: String
    let base: String
  }

  private(set) var names: [String] = []
  private(set) var samples: [String: [Sample]] = [:]
  /// Those that did not finish, and why.
  private(set) var failures: [(name: String, why: String)] = []

  /// Runs everyone once a round. The first round keeps the order given, later ones begin with
  /// another each.
  init(_ contestants: [Contestant], rounds: Int, log: (String) -> Void) {
    var running = contestants
    for round in 0..<rounds {
      let offset = running.isEmpty ? 0 : round % running.count
      for contestant in running[offset...] + running[..<offset] {
        do {
          let sample = try contestant.run()
          samples[contestant.name, default: []].append(sample)
          let (cpu, wall) = (sample.usage.cpuSeconds, sample.usage.wallSeconds)
          log(
            "\(contestant.name), \(round + 1) of \(rounds): "
              + "\(cpu.formatted(decimals: 2)) s CPU, \(wall.formatted(decimals: 2)) s")
        } catch {
          log("\(contestant.name): \(error)")
          failures.append((contestant.name, "\(error)"))
          running.removeAll { $0.name == contestant.name }
          samples[contestant.name] = nil
        }
      }
    }
    names = running.map(\.name)
  }

  /// What everyone took, and the ratios of `pairs`; a pair with an absent contestant is left out.
  func json(pairs: [Pair], adding notes: [String: [String: JSONValue]] = [:]) -> [String: JSONValue]
  {
    [
      "contestants": .array(names.map { figures(of: $0, adding: notes[$0] ?? [:]) }),
      "ratios": .array(pairs.compactMap(ratios)),
    ]
  }

  private func column(_ name: String, _ figure: (Sample) -> Double?) -> [Double] {
    (samples[name] ?? []).compactMap(figure)
  }

  /// What is compared, by its key in the JSON.
  private static let figures: [(key: String, figure: @Sendable (Sample) -> Double?)] = [
    ("cpuSeconds", { $0.usage.cpuSeconds }), ("wallSeconds", { $0.usage.wallSeconds }),
    ("peakBytes", { Double($0.usage.peakBytes) }),
    ("peakTreeBytes", { $0.usage.peakTreeBytes.map(Double.init) }),
    ("bytes", { $0.bytes.map(Double.init) }),
  ]

  private func figures(of name: String, adding notes: [String: JSONValue]) -> JSONValue {
    var members = samples[name]?.last?.notes ?? [:]
    for (key, figure) in Self.figures {
      if let spread = Spread(column(name, figure)) { members[key] = spread.json }
    }
    members["name"] = .string(name)
    return .object(members.merging(notes) { $1 })
  }

  private func ratios(of pair: Pair) -> JSONValue? {
    guard names.contains(pair.name), names.contains(pair.base) else { return nil }
    var members: [String: JSONValue] = ["of": .string(pair.name), "to": .string(pair.base)]
    for (key, figure) in Self.figures {
      let ratio = Spread(column(pair.name, figure), over: column(pair.base, figure))
      if let ratio { members[key] = ratio.json }
    }
    return .object(members)
  }
}

extension Double {
  func formatted(decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}
