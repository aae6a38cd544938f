/// The options, each with where it may be used and what it takes.
enum Option: String, CaseIterable, Hashable, Sendable {
  case start, duration, end, pick, split, preset, destination, fit, canvas
  case padColor = "pad-color"
  case cropFocus = "crop-focus"
  case removeBorders = "remove-borders"
  case safeArea = "safe-area"
  case maxMemory = "max-memory"
  case fps
  case maxSize = "max-size"
  case minQuality = "min-quality"
  case effort, reencode, snap, short, audio, loudness, sticker
  case stickerSize = "sticker-size"
  case background
  case appID = "app-id"
  case cover, overwrite, jobs, json
  case dryRun = "dry-run"
  case deep, diff
  case quiet, verbose, version, help, output

  /// As it is typed: "--max-size".
  var name: String { "--\(rawValue)" }

  /// What its value may be, for people; nil where it takes none.
  var allowed: String? {
    switch self {
    case .start, .duration, .end: "seconds or hh:mm:ss.mmm, as in 90, 1:30 or 00:01:30.500"
    case .snap: "seconds from 0 to 10, as in 0.5"
    case .pick: Self.list(["start", "best"])
    case .preset: "the name of a preset or the path of a JSON file"
    case .destination: Self.list(Destination.allCases.map(\.rawValue))
    case .fit: Self.list(["keep", "pad", "crop", "blur"])
    case .canvas: "an even width and height from 16 to 8192, as in 1080x1920"
    case .padColor: "black, white or a colour as in '#102030'"
    case .cropFocus: "a place from 0,0 (upper left) to 1,1 (lower right), as in 0.5,0.3"
    case .maxMemory: "a size in MB or MiB from 256MB, as in 2GiB"
    case .fps: "frames a second, as in 30, 29.97 or 30000/1001"
    case .maxSize: "a size in B, kB, MB or MiB, as in 50MB"
    case .minQuality: "a VMAF from 0 to 100, as in 85"
    case .effort: Self.list(["fast", "balanced", "best"])
    case .short: Self.list(["reject", "loop", "hold"])
    case .audio: "auto, mix, none or the number of a sound track, counted from 1"
    case .loudness: "LUFS from -40 to -5, as in -14"
    case .sticker: "the path of a picture"
    case .stickerSize: "a width and height from 16 to 4096, as in 640x480"
    case .background: "a colour, or two from top to bottom, as in '#102030,#405060'"
    case .appID: "an ID of letters and digits"
    case .cover: "auto or a time in the result, as in 2.5"
    case .jobs: "a whole number from 1 to 64"
    case .output: "the path of a directory, or of a preview's file"
    case .removeBorders, .safeArea, .split, .reencode: nil
    case .overwrite, .json, .dryRun, .deep, .diff, .quiet, .verbose, .version, .help: nil
    }
  }

  func applies(to command: Arguments.Command) -> Bool {
    switch (self, command) {
    case (.help, _), (.version, _): true
    case (.deep, .check), (.json, .check), (.preset, .check), (.destination, .check): true
    case (.diff, .presets): true
    case (.json, .doctor): true
    case (.output, .preview), (.overwrite, .preview), (.json, .preview): true
    case (.deep, _), (.diff, _), (_, .check), (_, .doctor), (_, .preview): false
    case (_, .prepare): true
    case (.json, .presets), (.verbose, .inspect), (.json, .inspect): true
    case (.split, .inspect), (.output, .inspect), (.overwrite, .inspect), (.jobs, .inspect),
      (.dryRun, .inspect),
      (.quiet, .inspect):
      false
    case (_, .inspect): true
    case (_, .presets), (_, .worker): false
    }
  }

  /// Whether it says something of a story's sticker on colours or nothing.
  var appliesToSticker: Bool {
    switch self {
    case .start, .duration, .end, .pick, .split, .fit, .canvas, .padColor, .cropFocus,
      .removeBorders, .safeArea, .fps, .maxSize, .minQuality, .effort, .reencode, .snap, .short,
      .audio, .loudness, .cover:
      false
    default: true
    }
  }

  /// - Throws: `UsageError` that names the nearest option.
  init(named name: String) throws(UsageError) {
    switch name {
    case "-o": self = .output
    case "-h": self = .help
    default:
      let word = name.drop { $0 == "-" }
      if name.hasPrefix("--"), let option = Option(rawValue: String(word)) {
        self = option
        return
      }
      let nearest = Suggestion.nearest(to: String(word), among: Self.allCases.map(\.rawValue))
      let way = nearest.map { "did you mean --\($0)?" } ?? "see --help"
      throw UsageError("\(name) is no option; \(way)")
    }
  }

  private static func list(_ words: [String]) -> String {
    "\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
  }
}
