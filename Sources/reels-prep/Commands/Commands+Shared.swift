internal import Foundation
internal import ReelsModel
internal import ReelsPrep

extension Request {
  /// Checks what depends on the preset alone, before any file is looked at.
  func checkPreset() throws(UsageError) {
    let limits: Preset.Limits
    do throws(PrepError) {
      limits = try Presets.load(preset).limits
    } catch {
      throw UsageError(error.sentence)
    }
    let allowed = limits.frameRate.value
    if let frameRate,
      frameRate < Ratio(approximating: allowed.minimum)
        || frameRate > Ratio(approximating: allowed.maximum)
    {
      throw UsageError(
        "--fps is \(ResultLine.rate(frameRate)); it must be from"
          + " \(ResultLine.rate(Ratio(approximating: allowed.minimum))) to"
          + " \(ResultLine.rate(Ratio(approximating: allowed.maximum)))")
    }
  }
}

extension WorkerCommand {
  /// This program again. The tests put another in its place by an environment variable.
  static var own: WorkerCommand {
    get throws(PrepError) {
      if let path = ProcessInfo.processInfo.environment["REELS_PREP_WORKER"] {
        return WorkerCommand(executable: FilePath(path))
      }
      return try .sameProgram(argument: Arguments.Command.worker.rawValue)
    }
  }
}
