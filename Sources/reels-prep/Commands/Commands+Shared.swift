internal import Foundation
internal import ReelsModel
internal import ReelsPrep

extension Request {
  /// Checks what depends on the preset alone, before any file is looked at.
  func checkPreset() throws(UsageError) {
    let preset: Preset
    do throws(PrepError) {
      preset = try Presets.load(self.preset)
    } catch {
      throw UsageError(error.sentence)
    }
    if background != .input, !preset.takesStoryWithoutVideo {
      throw UsageError(
        "no input was given; name a video or a folder, or make a story of the sticker alone with"
          + " --destination stories")
    }
    let allowed = preset.limits.frameRate.value
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
