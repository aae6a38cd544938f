internal import ReelsModel
internal import ReelsPrep

/// Shows the events of a batch as they come, and counts the outcomes.
// Sound: a batch makes one call at a time, and the exit code is read after the last.
final class Report: @unchecked Sendable {
  private let isJSON: Bool
  private let isQuiet: Bool
  private let isDryRun: Bool
  private let isSingle: Bool
  private let console: Console
  private var tally = Tally()

  init(_ arguments: Arguments, isSingle: Bool, _ console: Console) {
    isJSON = arguments.isJSON
    isQuiet = arguments.isQuiet
    isDryRun = arguments.isDryRun
    self.isSingle = isSingle
    self.console = console
  }

  var exitCode: ExitCode { tally.exitCode }

  func show(_ event: Event) {
    tally.count(event, isDryRun: isDryRun)
    if isJSON { console.printJSON(event) }
    switch event {
    case .planned(let planned): show(planned)
    case .progress(let progress):
      if !isJSON, !isQuiet { console.progress(of: progress.input, progress) }
    case .finished(let finished): show(finished)
    case .skipped(let skipped):
      console.progress(of: skipped.input, nil)
      if skipped.reason == .exists { print(ResultLine.text(exists: skipped)) }
    case .failed(let failed):
      console.progress(of: failed.input, nil)
      console.error(failed.sentence.singleLine)
    case .summary(let summary):
      let isWorthIt = !isSingle || summary.passedOver > 0
      if isWorthIt, !isQuiet, !isDryRun { console.note(ResultLine.text(summary)) }
    }
  }

  private func show(_ planned: Event.Planned) {
    if isDryRun {
      print("\(planned.input): \(planned.payload)")
      if let plan = planned.plan { for line in PlanText.lines(plan) { print(line) } }
      if let story = planned.story { for line in PlanText.lines(story) { print(line) } }
    } else if !isJSON, !isQuiet {
      console.progress(
        of: planned.input,
        Event.Progress(
          input: planned.input, fraction: 0, frames: 0, speed: 0, secondsLeft: nil))
    }
  }

  private func show(_ finished: Event.Finished) {
    console.progress(of: finished.input, nil)
    print(ResultLine.text(finished))
    if isQuiet { return }
    for warning in finished.manifest.warnings {
      console.note("warning: \(finished.input): \(warning.sentence.singleLine)")
    }
  }

  /// A result for people, where there is nothing for programs.
  private func print(_ line: String) {
    if !isJSON, !isQuiet { console.print(line) }
  }
}
