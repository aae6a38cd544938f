internal import ReelsModel
internal import ReelsPrep

/// `reels-prep INPUT... -o DIR`: makes a payload of each video, or with `--dry-run` only says how.
struct PrepareCommand {
  private let arguments: Arguments

  init(_ arguments: Arguments) throws(UsageError) {
    guard !arguments.operands.isEmpty || arguments.isStickerAlone else {
      throw UsageError("no input was given; name a video or a folder")
    }
    guard arguments.output != nil || arguments.isDryRun else {
      throw UsageError("no output directory was given; say where with -o DIR")
    }
    self.arguments = arguments
  }

  func run(_ console: Console) async throws(UsageError) -> ExitCode {
    try arguments.request.checkPreset()
    do {
      if !arguments.isDryRun { try OutputDirectory.check(arguments.request.outputDirectory) }
      return try await runBatch(console)
    } catch let error as PrepError {
      console.error(error.sentence)
      return ExitCode(error.blame)
    } catch {
      // Cancelled: the signal decides the exit code.
      return .someFailed
    }
  }

  private func runBatch(_ console: Console) async throws -> ExitCode {
    let inputs = try await inputs()
    let report = Report(
      arguments, isSingle: inputs.items.count <= 1 && !arguments.request.split, console)
    let batch = Batch(
      worker: try .own, jobs: arguments.jobs, isVerbose: arguments.isVerbose
    ) { console.note("\($0): \($1)") }
    let action = arguments.isDryRun ? Batch.Action.plan : .prepare
    try await batch.run(action, inputs, like: arguments.request) { report.show($0) }
    if inputs.items.isEmpty, inputs.failures.isEmpty {
      console.error(
        "no video was found in \(arguments.operands.map(\.description).joined(separator: ", "))")
    }
    return report.exitCode
  }

  private func inputs() async throws -> Inputs {
    guard arguments.isStickerAlone else {
      return try await Batch.findInputs(
        arguments.operands, outputDirectory: arguments.request.outputDirectory)
    }
    let sticker = arguments.request.input
    var inputs = Inputs()
    inputs.items = [Inputs.Item(path: sticker, isNamed: true, slug: Slug.plain(for: sticker))]
    return inputs
  }
}
