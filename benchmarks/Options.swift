internal import Foundation
internal import ReelsModel

/// What the command line asks for.
struct Options: Sendable {
  var scenarios: [Scenario] = []
  var clipFolder: String?
  var clip: String?
  /// Seconds of each clip to prepare, and of the clips that are made.
  var seconds = 60.0
  /// Rounds that the medians are of.
  var rounds = 3
  /// The output's files are smaller than these.
  var caps = [ByteCount(50_000_000)]
  var output: String?

  static let usage = """
    Usage: reels-bench SCENARIO... [--clips FOLDER] [--clip FILE] [--seconds N] [--repeat N]
                       [--cap 50MB,...] [--output FOLDER]

      \(Scenario.allCases.map { $0.rawValue }.joined(separator: ", ")), all

      --clips FOLDER   measure these videos [a made set]
      --clip FILE      measure this video alone
      --seconds N      take the first N seconds of each, and make clips as long [60]
      --repeat N       rounds; below 3 the results are marked as a smoke run [3]
      --cap SIZE,...   the sizes that `size` measures; of the others the first [50MB]
      --output FOLDER  where the JSON goes [benchmarks/results]
    """

  /// - Throws: `BenchError` with the wrong word and what would do.
  init(parsing arguments: [String]) throws {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        if word == "all" {
          scenarios += Scenario.allCases
        } else if let scenario = Scenario(rawValue: word) {
          scenarios.append(scenario)
        } else {
          throw BenchError("there is no scenario '\(word)'\n\(Self.usage)")
        }
        continue
      }
      guard let value = rest.popFirst() else { throw BenchError("\(word) needs a value") }
      switch word {
      case "--clips": clipFolder = value
      case "--clip": clip = value
      case "--output": output = value
      case "--seconds":
        guard let number = Double(value), (3...60).contains(number) else {
          throw BenchError("--seconds takes 3 to 60, not '\(value)'")
        }
        seconds = number
      case "--repeat":
        guard let number = Int(value), (1...99).contains(number) else {
          throw BenchError("--repeat takes 1 to 99, not '\(value)'")
        }
        rounds = number
      case "--cap":
        caps = try value.split(separator: ",").map {
          guard let size = ByteCount(parsing: String($0)) else {
            throw BenchError("--cap takes sizes as in 50MB,25MB, not '\(value)'")
          }
          return size
        }
        if caps.isEmpty { throw BenchError("--cap takes one size at least") }
      default: throw BenchError("there is no option \(word)\n\(Self.usage)")
      }
    }
    if scenarios.isEmpty { throw BenchError(Self.usage) }
  }

  /// The first cap, for the scenarios that take one.
  var cap: ByteCount { caps.first ?? ByteCount(50_000_000) }

  /// What the results say of how they were asked for; of paths only whether one was given.
  var json: JSONValue {
    [
      "seconds": .rounded(seconds), "repeat": .count(rounds), "smoke": .bool(rounds < 3),
      "capBytes": .array(caps.map { .count($0.value) }),
      "clips": .string(clip != nil ? "one file" : clipFolder != nil ? "a folder" : "made"),
    ]
  }
}
