import ReelsModel
import Testing

@testable import ReelsPrep

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct PresetsTests {
  @Test func `every built-in preset loads under its own name`() throws {
    #expect(Presets.names.first == "reels")
    for name in Presets.names {
      let preset = try Presets.load(name)
      #expect(preset.name == name)
      #expect(Presets.json(name)?.hasSuffix("}\n") == true)
    }
  }

  @Test func `the default preset has the limits of the pages`() throws {
    let limits = try Presets.load("reels").limits
    #expect(limits.durationSeconds.value == Preset.Bounds(minimum: 3, maximum: 60))
    #expect(limits.fileBytesBelow.value == 50_000_000)
    #expect(limits.fileBytesBelow.severity == .hard)
    #expect(limits.frameRate.value == Preset.Bounds(minimum: 23, maximum: 60))
    #expect(limits.columnsMaximum.value == 1920)
    #expect(limits.peakBitsPerSecond.value == 25_000_000)
    #expect(limits.audioBitsPerSecond.severity == .advised)
    #expect(limits.editListsAllowed.value == false)
    #expect(limits.moovFirst.value)
    #expect(limits.coverBytesMaximum.value == 8_000_000)
  }

  @Test func `the upload preset takes fifteen minutes and 300 MB`() throws {
    let preset = try Presets.load("graph-reel")
    #expect(preset.destination == "instagram-graph")
    #expect(preset.limits.durationSeconds.value.maximum == 900)
    #expect(preset.limits.fileBytesBelow.value == 300_000_000)
  }

  @Test func `an unknown name is answered with the known ones`() throws {
    let error = #expect(throws: PrepError.self) { try Presets.load("reals") }
    #expect(error?.code == .badPreset)
    #expect(error?.sentence.contains("\"reals\"") == true)
    #expect(error?.sentence.contains("reels, reels-android") == true)
  }

  @Test func `a file is read by its path`() throws {
    let folder = try Folder()
    let text = try #require(Presets.json("reels"))
    let path = folder.path.appending("mine.json")
    try folder.write(
      Array(text.replacing("\"maximum\": 60 }", with: "\"maximum\": 45 }").utf8), "mine.json")
    let preset = try Presets.load(path.string)
    #expect(preset.limits.durationSeconds.value.maximum == 45)
  }

  @Test func `a file that is not there and a folder are each a sentence with the path`() throws {
    let folder = try Folder()
    for name in ["missing.json", ""] {
      let path = folder.path.appending(name).string
      let error = #expect(throws: PrepError.self) { try Presets.load(path) }
      #expect(error?.code == .badPreset)
      #expect(error?.sentence.contains(path) == true)
    }
  }

  @Test func `a file above one MiB is refused`() throws {
    let folder = try Folder()
    try folder.write([UInt8](repeating: 32, count: (1 << 20) + 1), "big.json")
    let path = folder.path.appending("big.json").string
    let error = #expect(throws: PrepError.self) { try Presets.load(path) }
    #expect(error?.sentence.hasSuffix("it is larger than allowed") == true)
  }

  /// What is replaced in the default preset's text, by what, and the sentence.
  static let faults: [(old: String, new: String, sentence: String)] = [
    (
      "\"minimum\": 23", "\"minimum\": \"23\"",
      "limits.frameRate.value.minimum: expected a number"
    ),
    ("\"value\": 1920", "\"value\": 19.5", "limits.columnsMaximum.value: expected a whole"),
    ("\"value\": true", "\"value\": 1", "limits.moovFirst.value: expected true or false"),
    ("\"value\": [\"aac\"]", "\"value\": \"aac\"", "limits.audioCodecs.value: expected a list"),
    ("\"value\": [\"aac\"]", "\"value\": [7]", "limits.audioCodecs.value[0]: expected a text"),
    ("\"value\": [\"aac\"]", "\"value\": []", "limits.audioCodecs.value: must name at least one"),
    ("\"value\": 50000000", "\"value\": null", "limits.fileBytesBelow.value: is null"),
    ("\"value\": 50000000, ", "", "limits.fileBytesBelow.value: is missing"),
    ("\"value\": 50000000", "\"value\": -1", "limits.fileBytesBelow.value: is -1"),
    (
      "\"value\": 50000000, \"severity\": \"hard\"",
      "\"value\": 50000000, \"severity\": \"firm\"",
      "limits.fileBytesBelow.severity: expected \"hard\" or \"advised\""
    ),
    ("\"minimum\": 3,", "\"minimum\": 61,", "limits.durationSeconds.value: the minimum, 61"),
    ("\"minimum\": 3,", "\"minimum\": -3,", "limits.durationSeconds.value.minimum: is -3"),
    (
      "\"minimum\": 3,", "\"minimum\": 3, \"min\": 3,",
      "limits.durationSeconds.value.min: unknown key"
    ),
    ("\"frameRate\": {", "\"frameRte\": {}, \"frameRate\": {", "limits.frameRte: unknown key"),
    ("\"revision\": 3,", "\"revision\": 0,", "revision: is 0"),
    ("\"revision\": 3,", "\"revision\": 3, \"note\": [],", "note: unknown key"),
    (
      "\"value\": 1920, \"severity\": \"hard\", \"source\": \"graph\"",
      "\"value\": 1920, \"severity\": \"hard\", \"source\": \"web\"",
      "limits.columnsMaximum.source: \"web\" is not a key of sources"
    ),
    ("\"width\": 1080", "\"width\": 1081", "limits.canvas.value: is 1081x1920; both sides"),
    ("\"width\": 1080", "\"width\": 2160", "limits.canvas.value.width: is 2160, above"),
    ("\"minimum\": 0.01", "\"minimum\": 1", "limits.canvas.value: is 1080x1920, outside"),
    ("\"date\": \"2025\"", "\"date\": \"soon\"", "sources.graph.date: \"soon\" is not a date"),
    ("\"limits\": {", "\"limits\": {,", "is not JSON"),
  ]

  @Test(arguments: faults)
  func `a fault is named with the path of its key`(
    fault: (old: String, new: String, sentence: String)
  ) throws {
    let text = try #require(Presets.json("reels"))
    #expect(text.contains(fault.old))
    let broken = text.replacing(fault.old, with: fault.new, maxReplacements: 1)
    let error = #expect(throws: PrepError.self) {
      try Presets.parse(Array(broken.utf8), from: "my.json")
    }
    #expect(error?.code == .badPreset)
    #expect(
      error?.sentence.hasPrefix("my.json: \(fault.sentence)") == true)
  }

  @Test func `no prefix of a preset's text traps`() throws {
    let text = try #require(Presets.json("reels"))
    let bytes = Array(text.utf8)
    for count in stride(from: 0, to: bytes.count - 2, by: 37) {
      #expect(throws: PrepError.self) { try Presets.parse(Array(bytes[..<count]), from: "x") }
    }
  }
}
