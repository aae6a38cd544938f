internal import ReelsModel
internal import ReelsPrep

/// `reels-prep check FILE|PAYLOAD...`: every rule of a preset, and what each file makes of it.
struct CheckCommand {
  private let files: [FilePath]
  private let check: Check
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    guard !arguments.operands.isEmpty else {
      throw UsageError("check takes files or payloads, and none was given")
    }
    files = arguments.operands
    check = Check(preset: arguments.preset, isDeep: arguments.isDeep)
    isJSON = arguments.isJSON
  }

  func run(_ console: Console) async throws(UsageError) -> ExitCode {
    if let preset = check.preset {
      do throws(PrepError) {
        _ = try Presets.load(preset)
      } catch {
        throw UsageError(error.sentence)
      }
    }
    var (broken, unreadable) = (0, 0)
    for file in files {
      do {
        let report = try await check.run(file)
        show(report, console)
        if !report.failures.isEmpty { broken += 1 }
      } catch let error as PrepError {
        console.error(error.sentence)
        if isJSON { console.printJSON(Unreadable(file: file, error: error.sentence)) }
        unreadable += 1
      } catch {
        // Cancelled: the signal decides the exit code.
        return .someFailed
      }
    }
    // What could not be looked at may hide anything.
    if unreadable > 0 { return .inputs }
    return broken == 0 ? .success : .someFailed
  }

  /// In a report's place.
  private struct Unreadable: Encodable {
    var file: FilePath
    /// One sentence.
    var error: String
  }

  private func show(_ report: CheckReport, _ console: Console) {
    if isJSON {
      for rule in report.rules { console.printJSON(rule) }
      console.printJSON(report.summary)
    } else {
      for line in CheckText.lines(report) { console.print(line) }
    }
  }
}
