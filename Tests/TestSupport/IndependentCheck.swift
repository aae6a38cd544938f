package import Foundation
import ReelsModel

/// Whether a finished file is a Reel as this project makes them, by ffprobe, mediainfo and a box
/// walk; none of the product's own checks takes part.
package struct IndependentCheck: Sendable {
  /// The file is smaller than this many bytes.
  package var cap: Int64
  /// Whether the picture was copied from its source: contract.md then allows key frames 10 s apart,
  /// intervals within 1 ms of their mean, Baseline and Main, and an unstated aspect ratio.
  package var isCopy: Bool

  package init(cap: Int64 = 50_000_000, isCopy: Bool = false) {
    self.cap = cap
    self.isCopy = isCopy
  }

  /// One sentence for each broken rule, beginning with the rule's name and a colon; none is good.
  ///
  /// - Throws: `Tool.Failure` where a tool is not there. A file that ffprobe cannot read is a
  ///   problem, not an error.
  package static func problems(in file: URL) throws -> [String] {
    try IndependentCheck().problems(in: file)
  }

  package func problems(in file: URL) throws -> [String] {
    for tool in [Tool.ffprobe, .mediainfo] where !tool.isAvailable {
      throw Tool.Failure(description: "there is no command \(tool.name)")
    }
    let boxes: BoxOracle
    let probe: Probe
    do {
      boxes = try BoxOracle(file)
      probe = try Probe(file, packets: true, counting: true)
    } catch {
      return ["\(Rule.container.rawValue): not readable: \(error)"]
    }
    let subject = Subject(
      file: file, boxes: boxes, probe: probe, report: try MediaInfoReport(file))

    var problems = Problems()
    checkContainer(subject, &problems)
    checkTracks(subject, &problems)
    checkMetadata(subject, &problems)
    if let video = probe.video {
      checkPicture(subject, video, &problems)
      checkColor(subject, video, &problems)
      checkFrames(subject, video, &problems)
      checkRate(probe.packets(of: video), video, &problems)
    }
    if let audio = probe.audio { checkSound(subject, audio, &problems) }
    checkTimes(subject, &problems)
    return problems.sentences
  }

  /// Everything that is known of the file.
  struct Subject {
    let file: URL
    let boxes: BoxOracle
    let probe: Probe
    let report: MediaInfoReport
  }

  /// Collects what is wrong.
  struct Problems {
    private(set) var sentences: [String] = []

    /// Notes a problem unless `isGood`.
    mutating func expect(
      _ rule: Rule, _ isGood: Bool, _ found: @autoclosure () -> String
    ) {
      if !isGood { sentences.append("\(rule.rawValue): \(found())") }
    }

    /// Notes a problem unless what was found is what is wanted.
    mutating func expect<Value: Equatable>(
      _ rule: Rule, _ name: String, _ found: Value?, _ wanted: Value
    ) {
      expect(
        rule, found == wanted,
        "\(name) is \(found.map { "\($0)" } ?? "not stated"), not \(wanted)")
    }
  }
}
