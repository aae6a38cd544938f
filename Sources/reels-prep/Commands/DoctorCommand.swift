internal import ReelsModel
internal import ReelsPrep

/// `reels-prep doctor PATH...`: what keeps an app from handing payloads over, with the fix to paste.
struct DoctorCommand {
  private let paths: [FilePath]
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    guard !arguments.operands.isEmpty else {
      throw UsageError(
        "doctor takes an Info.plist, an .app, an AndroidManifest.xml or a project's folder")
    }
    paths = arguments.operands
    isJSON = arguments.isJSON
  }

  func run(_ console: Console) -> ExitCode {
    var (broken, unreadable) = (0, 0)
    for path in paths {
      do throws(PrepError) {
        let report = try Doctor().run(path)
        show(report, console)
        if report.summary.errors > 0 { broken += 1 }
      } catch {
        console.error(error.sentence)
        unreadable += 1
      }
    }
    if unreadable == paths.count { return .inputs }
    return broken + unreadable == 0 ? .success : .someFailed
  }

  private func show(_ report: DoctorReport, _ console: Console) {
    if isJSON {
      for finding in report.findings { console.printJSON(finding) }
      console.printJSON(report.summary)
    } else {
      for line in DoctorText.lines(report) { console.print(line) }
    }
  }
}
