import Foundation
import ReelsModel
import ReelsPrep

/// A small clip made by the `ffmpeg` command: by default one that keeps every rule.
struct VerificationClip {
  var size = "320x568"
  var rate = 30
  /// Both 30 and 25 frames a second meet AAC's packets of 1,024 samples at 48 kHz every 1.6 s.
  var seconds = 3.2
  var filter = "null"
  var codec = [
    "-c:v", "libx264", "-profile:v", "high", "-pix_fmt", "yuv420p", "-preset", "veryfast", "-crf",
    "35",
  ]
  var encoding = "keyint=48:min-keyint=48:scenecut=0:open-gop=0:bframes=2"
  var color = [
    "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range",
    "tv",
  ]
  var audioTracks = 1
  /// Whether the first packet of sound names its encoder.
  var namesEncoder = false
  var movieFlags = "+faststart+negative_cts_offsets"
  var muxing: [String] = []

  static let isPossible = executable != nil

  /// The clip that keeps every rule, made once.
  static let compliant = Result { try VerificationClip().bytes() }

  private static let executable: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/usr/local/bin"
    return path.split(separator: ":").map { "\($0)/ffmpeg" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }()

  struct Failed: Error { let status: Int32 }

  func bytes() throws -> [UInt8] {
    let directory = FileManager.default.temporaryDirectory.appending(
      component: "verification-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let audio = directory.appending(component: "audio.aac").path()
    let output = directory.appending(component: "clip.mp4").path()
    // The encoder adds a packet of priming, which ADTS does not mark: the sound starts at zero. Told to be
    // bitexact, it does not put its name there either.
    let samples = Int(seconds * 48000) - 1024
    let tone = "sine=f=440:r=48000,aformat=channel_layouts=stereo,atrim=end_sample=\(samples)"
    try Self.run(
      ["-f", "lavfi", "-i", tone, "-c:a", "aac", "-b:a", "96k"]
        + (namesEncoder ? [] : ["-flags", "+bitexact"]) + [audio])
    var arguments = ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=\(rate):d=\(seconds),\(filter)"]
    for _ in 0..<audioTracks { arguments += ["-i", audio] }
    for index in 0...audioTracks { arguments += ["-map", "\(index)"] }
    arguments += codec + color
    if codec.contains("libx264") { arguments += ["-x264-params", encoding] }
    if audioTracks > 0 { arguments += ["-c:a", "copy", "-bsf:a", "aac_adtstoasc"] }
    arguments += ["-map_metadata", "-1", "-fflags", "+bitexact", "-video_track_timescale", "15360"]
    arguments += ["-movflags", movieFlags, "-use_editlist", "0"] + muxing + [output]
    try Self.run(arguments)
    return Array(try Data(contentsOf: URL(filePath: output)))
  }

  private static func run(_ arguments: [String]) throws {
    guard let executable else { throw Failed(status: 127) }
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = ["-v", "error", "-nostdin", "-y", "-threads", "1"] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
  }
}

/// Runs the verification on bytes, through a file that is gone afterwards.
func verify(
  _ bytes: [UInt8], preset: Preset = .verificationTest, expected: Expectation? = nil,
  decoded: DecodedFacts? = nil
) throws -> Verification.Report {
  let url = FileManager.default.temporaryDirectory.appending(
    component: "verification-\(UUID().uuidString).mp4")
  try Data(bytes).write(to: url)
  defer { try? FileManager.default.removeItem(at: url) }
  return try Verification(preset: preset, expected: expected).check(
    FilePath(url.path()), decoded: decoded)
}

/// The rules that a file breaks, in the order of the findings.
func brokenRules(
  _ bytes: [UInt8], preset: Preset = .verificationTest, expected: Expectation? = nil,
  decoded: DecodedFacts? = nil
) throws -> [Rule] {
  try verify(bytes, preset: preset, expected: expected, decoded: decoded)
    .findings.filter { $0.verdict != .pass }.map(\.rule)
}

extension Verification.Report {
  func finding(_ rule: Rule) -> Finding? { findings.first { $0.rule == rule } }
}

extension Preset {
  /// The limits of Reels, each of them hard but the size of the file and the rate of the sound.
  static let verificationTest: Preset = {
    let hard = { (value: String) in
      "{\"value\": \(value), \"severity\": \"hard\", \"source\": \"test\"}"
    }
    let advised = { (value: String) in
      "{\"value\": \(value), \"severity\": \"advised\", \"source\": \"test\"}"
    }
    let json = """
      {"name": "test", "revision": 1, "title": "Test", "destination": "instagram-reels",
       "source": {"title": "t", "page": "p", "date": "2026-01-01"}, "sources": {}, "limits": {
        "durationSeconds": \(hard("{\"minimum\": 3, \"maximum\": 60}")),
        "fileBytesBelow": \(advised("50000000")),
        "videoCodecs": \(hard("[\"h264\"]")),
        "copiedVideoCodecs": \(hard("[\"h264\"]")),
        "videoProfiles": \(hard("[\"baseline\", \"main\", \"high\"]")),
        "frameRate": \(hard("{\"minimum\": 23, \"maximum\": 60}")),
        "canvas": \(hard("{\"width\": 1080, \"height\": 1920}")),
        "columnsMaximum": \(hard("1920")),
        "aspect": \(hard("{\"minimum\": 0.01, \"maximum\": 10}")),
        "gopSecondsMaximum": \(hard("2")),
        "peakBitsPerSecond": \(hard("25000000")),
        "audioCodecs": \(hard("[\"aac\"]")),
        "audioSampleRateMaximum": \(hard("48000")),
        "audioChannels": \(hard("{\"minimum\": 1, \"maximum\": 2}")),
        "audioBitsPerSecond": \(advised("128000")),
        "editListsAllowed": \(hard("false")),
        "moovFirst": \(hard("true")),
        "coverBytesMaximum": \(hard("8000000")),
        "concealedShareMaximum": \(hard("0.5")),
        "stickerSize": \(advised("{\"width\": 640, \"height\": 480}"))}}
      """
    do {
      return try JSONDecoder().decode(Preset.self, from: Data(json.utf8))
    } catch {
      preconditionFailure("the preset of the tests is JSON of the model's own shape: \(error)")
    }
  }()

  /// The same preset with other limits.
  func with(_ change: (inout Limits) -> Void) -> Preset {
    var copy = self
    change(&copy.limits)
    return copy
  }
}
