internal import ReelsModel
internal import ReelsPrep

/// `reels-prep presets [NAME]`
struct PresetsCommand {
  private let name: FilePath?
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    guard arguments.operands.count <= 1 else {
      throw UsageError("presets takes one name at most, and \(arguments.operands.count) were given")
    }
    name = arguments.operands.first
    isJSON = arguments.isJSON
  }

  func run(_ console: Console) throws(UsageError) -> ExitCode {
    for name in name.map({ [$0.string] }) ?? Presets.names {
      let preset: Preset
      do throws(PrepError) {
        preset = try Presets.load(name)
      } catch {
        throw UsageError(error.sentence)
      }
      if isJSON {
        console.printJSON(preset)
      } else if self.name == nil {
        console.print("\(preset.name): \(preset.title)".singleLine)
      } else {
        for line in PresetText.lines(preset) { console.print(line) }
      }
    }
    return .success
  }
}
