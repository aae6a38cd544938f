internal import ReelsModel

/// A command line, read and checked as far as it can be without looking at any file.
struct Arguments {
  enum Command: String, CaseIterable, Hashable, Sendable {
    case prepare, inspect, check, doctor, presets, preview
    /// One job of a batch, in a process of its own; not for people.
    case worker = "__worker"
  }

  private(set) var command = Command.prepare
  private(set) var operands: [FilePath] = []
  /// What is asked for each input; its `input` and, without `--output`, its output directory are
  /// placeholders.
  private(set) var request = Request(input: "", outputDirectory: ".")
  private(set) var jobs: Int?
  private var given: Set<Option> = []

  var output: FilePath? { given.contains(.output) ? request.outputDirectory : nil }
  var wantsHelp: Bool { given.contains(.help) }
  var wantsVersion: Bool { given.contains(.version) }
  /// The preset that was named; nil where none was.
  var preset: String? {
    given.isDisjoint(with: [.preset, .destination]) ? nil : request.preset
  }
  var isDeep: Bool { given.contains(.deep) }
  var isDiff: Bool { given.contains(.diff) }
  var isJSON: Bool { given.contains(.json) }
  var isDryRun: Bool { given.contains(.dryRun) }
  var isQuiet: Bool { given.contains(.quiet) }
  var isVerbose: Bool { given.contains(.verbose) }
  var isEmpty: Bool { given.isEmpty && operands.isEmpty }

  /// Reads the arguments that follow the program's name.
  ///
  /// The first argument that is no option may be a command; a file of that name is written `./name`
  /// or comes after `--`. Of an option given twice the last counts.
  init(parsing arguments: [FilePath]) throws(UsageError) {
    var rest = arguments[...]
    var hasCommand = false
    while let argument = rest.popFirst() {
      let bytes = argument.bytes
      if bytes == Array("--".utf8) {
        operands += rest
        break
      } else if bytes.first == UInt8(ascii: "-"), bytes.count > 1 {
        try take(option: argument, &rest)
      } else if !hasCommand, operands.isEmpty, let named = Command(rawValue: argument.string) {
        command = named
        hasCommand = true
      } else {
        operands.append(argument)
      }
    }
    request.overwrite = given.contains(.overwrite)
    request.removeBorders = given.contains(.removeBorders)
    request.split = given.contains(.split)
    request.safeArea = given.contains(.safeArea)
    request.reencode = given.contains(.reencode)
    if command == .prepare, operands.isEmpty, request.sticker != nil { takeStickerAsInput() }
    if !wantsHelp, !wantsVersion { try check() }
  }

  /// Reads `--name`, `--name=value`, `--name value`, `-o value` or `-ovalue`.
  private mutating func take(
    option argument: FilePath, _ rest: inout ArraySlice<FilePath>
  ) throws(UsageError) {
    let bytes = argument.bytes
    let isLong = bytes.starts(with: "--".utf8)
    let nameEnd = isLong ? bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex : 2
    let option = try Option(named: FilePath(bytes: bytes[..<nameEnd]).string)
    var glued: FilePath?
    if nameEnd < bytes.count { glued = FilePath(bytes: bytes[(nameEnd + (isLong ? 1 : 0))...]) }
    given.insert(option)
    guard let allowed = option.allowed else {
      if let glued { throw UsageError("\(option.name) takes no value, and \(glued) was given") }
      return
    }
    if let glued {
      try set(option, to: glued)
    } else if let next = rest.first, !Self.isOption(next) {
      rest.removeFirst()
      try set(option, to: next)
    } else {
      throw UsageError("\(option.name) needs a value: \(allowed)")
    }
  }

  /// A value that looks like an option is one that was forgotten; `--name=--value` is meant so.
  private static func isOption(_ argument: FilePath) -> Bool {
    let text = argument.string
    guard text.hasPrefix("--") else { return text == "-o" || text == "-h" }
    let name = text.dropFirst(2).prefix { $0 != "=" }
    return name.isEmpty || Option(rawValue: String(name)) != nil
  }

  private mutating func set(_ option: Option, to path: FilePath) throws(UsageError) {
    guard !path.bytes.isEmpty else { throw invalid(option, path) }
    if option == .output {
      request.outputDirectory = path
    } else if option == .sticker {
      request.sticker = path
    } else if option == .jobs {
      guard let number = Int(path.string), (1...64).contains(number) else {
        throw invalid(option, path)
      }
      jobs = number
    } else {
      guard let text = String(validating: path.bytes, as: UTF8.self),
        request.set(option, to: text)
      else { throw invalid(option, path) }
    }
  }

  private func invalid(_ option: Option, _ value: FilePath) -> UsageError {
    UsageError("\(option.name) is \"\(value)\"; it must be \(option.allowed ?? "left out")")
  }

  /// A sticker without an input is a story's, on colours or nothing.
  private mutating func takeStickerAsInput() {
    guard let sticker = request.sticker else { return }
    request.input = sticker
    request.sticker = nil
    if request.background == .input { request.background = .unspecified }
  }

  /// Whether the sticker is all that there is to prepare.
  var isStickerAlone: Bool { given.contains(.sticker) && request.sticker == nil }

  /// Options that contradict each other, or that would be ignored.
  private func check() throws(UsageError) {
    for option in Option.allCases where given.contains(option) && !option.applies(to: command) {
      throw UsageError("\(option.name) has no meaning with \(command.rawValue)")
    }
    if operands.contains("-") {
      throw UsageError("standard input is not read; save it to a file (a file named - is ./-)")
    }
    for (one, other) in [
      (Option.duration, Option.end), (.quiet, .verbose), (.pick, .start), (.pick, .end),
      (.pick, .split), (.snap, .split), (.snap, .reencode), (.preset, .destination),
    ]
    where given.isSuperset(of: [one, other]) {
      throw UsageError("\(one.name) and \(other.name) exclude each other; give one of them")
    }
    if let duration = request.duration, duration <= .zero {
      throw UsageError("--duration is \(duration) s; it must be more than 0")
    }
    if let end = request.end, end <= request.start ?? .zero {
      throw UsageError(
        "--end is \(end) s; it must be after the start, which is \(request.start ?? .zero) s")
    }
    if request.loudness != nil, request.audio == .none {
      throw UsageError("--loudness has no meaning with --audio none; leave one of them out")
    }
    if given.contains(.canvas), request.fit == .keep {
      throw UsageError("--canvas has no meaning with --fit keep; add --fit pad, crop or blur")
    }
    if given.contains(.cropFocus), request.fit != .crop {
      throw UsageError(
        "--crop-focus has no meaning with --fit \(request.fit.rawValue); add --fit crop")
    }
    if request.stickerSize != nil, !given.contains(.sticker) {
      throw UsageError("--sticker-size has no meaning without --sticker; add it or leave both out")
    }
    if given.contains(.background), !isStickerAlone {
      throw UsageError(
        "--background is what a story shows behind a sticker alone; "
          + (given.contains(.sticker)
            ? "leave out the inputs, or --background" : "add --sticker FILE, without inputs"))
    }
    if isStickerAlone,
      let option = Option.allCases.first(where: { given.contains($0) && !$0.appliesToSticker })
    {
      throw UsageError("\(option.name) has no meaning with a sticker alone; name a video as well")
    }
    if given.contains(.padColor), request.fit != .pad {
      throw UsageError(
        "--pad-color has no meaning with --fit \(request.fit.rawValue); add --fit pad")
    }
  }
}
