internal import ReelsModel
internal import ReelsPrep

/// `reels-prep preview PAYLOAD -o preview.png`: the payload as it will look on a screen.
struct PreviewCommand {
  private let payload: FilePath
  private let output: FilePath
  private let preview: Preview
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    guard let payload = arguments.operands.first, arguments.operands.count == 1 else {
      throw UsageError("preview takes one payload, and \(arguments.operands.count) were given")
    }
    guard let output = arguments.output else {
      throw UsageError("no file was given for the preview; name one with -o, as in -o preview.png")
    }
    self.payload = payload
    self.output = output
    preview = Preview(overwrite: arguments.request.overwrite)
    isJSON = arguments.isJSON
  }

  func run(_ console: Console) async -> ExitCode {
    do {
      let report = try await preview.run(payload, output: output)
      if isJSON {
        console.printJSON(report)
      } else {
        console.print("\(report.file): \(report.size)")
      }
      return .success
    } catch let error as PrepError {
      console.error(error.sentence)
      return ExitCode(error.blame)
    } catch {
      // Cancelled: the signal decides the exit code.
      return .someFailed
    }
  }
}
