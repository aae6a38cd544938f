internal import ReelsModel
internal import ReelsPrep

/// `reels-prep inspect FILE`: what the file is, and the plan with its reasons.
struct InspectCommand {
  private let request: Request
  private let isJSON: Bool
  private let isVerbose: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    guard let input = arguments.operands.first, arguments.operands.count == 1 else {
      throw UsageError("inspect takes one file, and \(arguments.operands.count) were given")
    }
    var request = arguments.request
    request.input = input
    request.slug = Slug.plain(for: input)
    self.request = request
    isJSON = arguments.isJSON
    isVerbose = arguments.isVerbose
  }

  func run(_ console: Console) async throws(UsageError) -> ExitCode {
    try request.checkPreset()
    do {
      if try Inputs.check(request.input).kind == .directory {
        throw PrepError(
          code: .notAFile, sentence: "\(request.input) is a folder, and inspect takes one file",
          blame: .input)
      }
      let batch = Batch(worker: try .own, isVerbose: isVerbose) { console.note("\($0): \($1)") }
      return show(try await batch.inspect(request), console)
    } catch let error as PrepError {
      console.error(error.sentence)
      return ExitCode(error.blame)
    } catch {
      // Cancelled: the signal decides the exit code.
      return .someFailed
    }
  }

  private func show(_ inspection: Inspection, _ console: Console) -> ExitCode {
    if isJSON {
      console.printJSON(inspection)
    } else {
      for line in InfoText.lines(inspection.info) { console.print(line) }
      if let story = inspection.story {
        console.print("plan")
        for line in PlanText.lines(story) { console.print(line) }
      }
      if let plan = inspection.plan {
        console.print("plan")
        for line in PlanText.lines(plan) { console.print(line) }
        if let prediction = inspection.prediction {
          let share = prediction.capBinds ? ", bound by the size" : ""
          console.print(
            "  foreseen: \(prediction.bytes), VMAF about \(Int(prediction.vmaf.rounded()))\(share)")
        }
      }
    }
    guard let refusal = inspection.refusal else { return .success }
    console.error(refusal.sentence.singleLine)
    return ExitCode(refusal.blame)
  }
}
