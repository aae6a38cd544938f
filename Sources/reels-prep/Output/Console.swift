internal import Foundation
internal import ReelsModel
internal import ReelsPrep

/// Where the program speaks: data to standard output, words for people to standard error.
///
/// On a terminal, a bar for each running job stays below everything else.
// Sound: a batch makes one call at a time, and the commands call it only before and after.
final class Console: @unchecked Sendable {
  private var data: OutputStream
  private var words: OutputStream
  private var bars = ProgressBars()
  private var drawnLines = 0
  private let showsBars: Bool

  init(signals: Signals) {
    data = OutputStream(1, signals: signals)
    words = OutputStream(2, signals: signals)
    let terminal = ProcessInfo.processInfo.environment["TERM"] ?? ""
    showsBars = words.isTerminal && !["", "dumb"].contains(terminal)
  }

  /// Why standard output did not take everything.
  var outputFailure: SystemError? { data.failure }

  /// A line of data.
  func print(_ line: String) {
    clear()
    data.write(line + "\n")
    draw()
  }

  /// One JSON object on a line.
  func printJSON(_ value: some Encodable) {
    guard let line = try? JSONLine.encode(value) else { return }
    clear()
    data.write(line)
    draw()
  }

  /// A line for people.
  func note(_ line: String) {
    clear()
    words.write(line + "\n")
    draw()
  }

  /// Why something was not done.
  func error(_ sentence: String) { note("reels-prep: \(sentence)") }

  /// Shows how far a job is; nil takes its bar away.
  func progress(of input: FilePath, _ progress: Event.Progress?) {
    guard showsBars else { return }
    bars.update(input, progress)
    clear()
    draw()
  }

  /// Takes the bars off the screen, until something is drawn again.
  func clear() {
    guard drawnLines > 0 else { return }
    words.write("\r\u{1B}[\(drawnLines)A\u{1B}[J")
    drawnLines = 0
  }

  private func draw() {
    guard showsBars else { return }
    let lines = bars.lines(columns: words.columns)
    words.write(lines.map { $0 + "\n" }.joined())
    drawnLines = lines.count
  }
}
