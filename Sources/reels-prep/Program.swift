internal import ReelsModel
internal import ReelsPrep

/// The command: reads the arguments, makes one call of the library and returns the exit code.
struct Program {
  let signals: Signals

  func run(_ arguments: [FilePath]) async -> Int32 {
    let console = Console(signals: signals)
    let code: ExitCode
    do throws(UsageError) {
      code = try await run(Arguments(parsing: arguments), console)
    } catch {
      console.error(error.sentence)
      code = .usage
    }
    console.clear()
    if let signal = signals.received { return ExitCode.signal(signal).rawValue }
    if let failure = console.outputFailure {
      console.error("standard output: \(failure)")
      return ExitCode.output.rawValue
    }
    return code.rawValue
  }

  private func run(
    _ arguments: Arguments, _ console: Console
  ) async throws(UsageError) -> ExitCode {
    if arguments.wantsHelp {
      console.print(Help.text)
      return .success
    }
    if arguments.wantsVersion {
      console.print("reels-prep \(ReelsPrep.version)")
      return .success
    }
    switch arguments.command {
    case .worker: return ExitCode(rawValue: await Worker.serve())
    case .presets: return try PresetsCommand(arguments).run(console)
    case .doctor: return try DoctorCommand(arguments).run(console)
    case .preview: return try await PreviewCommand(arguments).run(console)
    case .check: return try await CheckCommand(arguments).run(console)
    case .inspect: return try await InspectCommand(arguments).run(console)
    case .prepare:
      if arguments.isEmpty {
        console.note(Help.text)
        return .usage
      }
      return try await PrepareCommand(arguments).run(console)
    }
  }
}
