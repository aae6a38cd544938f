internal import ReelsModel
internal import ReelsPrep

/// `reels-prep presets [NAME]`
struct PresetsCommand {
  private let name: FilePath?
  /// The two whose limits are compared; nil lists them.
  private let compared: (FilePath, FilePath)?
  private let isJSON: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    isJSON = arguments.isJSON
    if arguments.isDiff {
      guard arguments.operands.count == 2 else {
        throw UsageError(
          "presets --diff takes two names, and \(arguments.operands.count) were given")
      }
      compared = (arguments.operands[0], arguments.operands[1])
      name = nil
      return
    }
    compared = nil
    guard arguments.operands.count <= 1 else {
      throw UsageError("presets takes one name at most, and \(arguments.operands.count) were given")
    }
    name = arguments.operands.first
  }

  func run(_ console: Console) throws(UsageError) -> ExitCode {
    if let compared { return try show(compared.0, compared.1, console) }
    for name in name.map({ [$0.string] }) ?? Presets.names {
      let preset = try load(name)
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

  private func load(_ name: String) throws(UsageError) -> Preset {
    do throws(PrepError) {
      return try Presets.load(name)
    } catch {
      throw UsageError(error.sentence)
    }
  }

  private func show(
    _ one: FilePath, _ two: FilePath, _ console: Console
  ) throws(UsageError) -> ExitCode {
    let (one, two) = (try load(one.string), try load(two.string))
    let differences = PresetText.differences(one, two)
    if isJSON {
      for difference in differences { console.printJSON(difference) }
    } else {
      for line in PresetText.lines(differences, one, two) { console.print(line) }
    }
    return .success
  }
}
