internal import ReelsModel

/// What the program tells its caller in one number.
struct ExitCode: RawRepresentable, Hashable, Sendable {
  let rawValue: Int32

  /// All prepared, or there already.
  static let success = ExitCode(rawValue: 0)
  /// Some failed.
  static let someFailed = ExitCode(rawValue: 1)
  /// `EX_USAGE`
  static let usage = ExitCode(rawValue: 64)
  /// `EX_DATAERR`: none succeeded, because of the inputs.
  static let inputs = ExitCode(rawValue: 65)
  /// `EX_IOERR`: something could not be written.
  static let output = ExitCode(rawValue: 74)

  /// As a shell tells that a signal ended a program.
  static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }

  /// For one file that failed alone.
  init(_ blame: Event.Blame) {
    switch blame {
    case .input: self = .inputs
    case .output: self = .output
    case .program: self = .someFailed
    }
  }

  init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Counts the outcomes of a batch.
struct Tally: Hashable, Sendable {
  private var succeeded = 0
  private var blames: [Event.Blame] = []

  mutating func count(_ event: Event, isDryRun: Bool) {
    switch event {
    case .planned where isDryRun: succeeded += 1
    case .finished: succeeded += 1
    case .skipped(let skipped) where skipped.reason == .exists: succeeded += 1
    case .failed(let failed): blames.append(failed.blame)
    case .planned, .progress, .skipped, .summary: break
    }
  }

  /// An output that fails is told before anything else; nothing done at all is the inputs' fault.
  var exitCode: ExitCode {
    if blames.contains(.output) { return .output }
    if succeeded > 0 { return blames.isEmpty ? .success : .someFailed }
    return blames.contains(.program) ? .someFailed : .inputs
  }
}
