import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

/// The checker's verdicts on what other tools write, beside those of ffprobe, mediainfo and another box walk.
@Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to make its clips"))
struct CheckOracleTests {
  struct Output: Sendable, CustomTestStringConvertible {
    var name: String
    var arguments: [String] = []
    var testDescription: String { name }
  }

  /// As ffmpeg, editors, screen recorders and libraries around ffmpeg write files.
  static let outputs: [Output] = [
    Output(name: "ffmpeg's defaults"),
    Output(name: "faststart", arguments: ["-movflags", "+faststart"]),
    Output(name: "no edit list", arguments: ["-use_editlist", "0"]),
    Output(
      name: "moviepy", arguments: ["-c:v", "libx264", "-preset", "medium", "-pix_fmt", "yuv420p"]),
    Output(name: "mp3 in MP4", arguments: ["-c:a", "libmp3lame"]),
    Output(name: "mono at 22 kHz", arguments: ["-ar", "22050", "-ac", "1"]),
    Output(name: "96 kHz", arguments: ["-ar", "96000"]),
    Output(name: "5.1", arguments: ["-ac", "6"]),
    Output(name: "high bit rate", arguments: ["-b:a", "320k"]),
    Output(name: "4:4:4", arguments: ["-pix_fmt", "yuv444p"]),
    Output(name: "4:2:2", arguments: ["-pix_fmt", "yuv422p"]),
    Output(name: "10 bits", arguments: ["-pix_fmt", "yuv420p10le"]),
    Output(name: "full range", arguments: ["-pix_fmt", "yuvj420p", "-color_range", "pc"]),
    Output(name: "BT.2020", arguments: ["-color_primaries", "bt2020", "-colorspace", "bt2020nc"]),
    Output(name: "MPEG-4", arguments: ["-c:v", "mpeg4"]),
    Output(name: "HEVC", arguments: ["-c:v", "libx265", "-x265-params", "log-level=none"]),
    Output(name: "VP9 in MP4", arguments: ["-c:v", "libvpx-vp9", "-cpu-used", "8"]),
    Output(name: "baseline", arguments: ["-profile:v", "baseline"]),
    Output(name: "main", arguments: ["-profile:v", "main"]),
    Output(name: "one key frame", arguments: ["-g", "9999", "-t", "14"]),
    Output(name: "open GOPs", arguments: ["-x264-params", "open-gop=1:keyint=30:b-adapt=0"]),
    Output(name: "interlaced", arguments: ["-x264-params", "interlaced=1"]),
    Output(name: "15 frames a second", arguments: ["-r", "15"]),
    Output(name: "NTSC", arguments: ["-r", "30000/1001"]),
    Output(name: "120 frames a second", arguments: ["-r", "120"]),
    Output(
      name: "uneven frames", arguments: ["-vf", "select='not(eq(mod(n,7),3))'", "-fps_mode", "vfr"]),
    Output(name: "anamorphic", arguments: ["-aspect", "16:9"]),
    Output(name: "turned", arguments: ["-metadata:s:v", "rotate=90"]),
    Output(name: "short", arguments: ["-t", "2"]),
    Output(name: "long", arguments: ["-t", "62", "-r", "24"]),
    Output(name: "fragments", arguments: ["-movflags", "frag_keyframe+empty_moov"]),
    Output(name: "a location", arguments: ["-metadata", "location=+48.2+16.3/"]),
    Output(name: "4K", arguments: ["-vf", "scale=3840:2160", "-preset", "ultrafast"]),
    Output(name: "QuickTime", arguments: ["-f", "mov"]),
    Output(
      name: "tuned for streaming", arguments: ["-tune", "zerolatency", "-movflags", "+faststart"]),
  ]

  /// HandBrake's presets that write H.264 in MP4: general, for the web, for devices.
  static let handBrakePresets = [
    "Very Fast 1080p30", "Fast 720p30", "HQ 720p30 Surround", "Creator 720p60",
    "Social 50 MB 5 Minutes 720p30", "Email 25 MB 5 Minutes 480p30", "Android 720p30",
    "Apple 1080p30 Surround", "Chromecast 1080p30 Surround", "Roku 720p30 Surround",
  ]

  /// Rules that only one side tells, or that recommend.
  private static let apart: Set<Rule> = [.frameCount, .audioBitRate, .decodable, .columns]
  /// ffprobe's times honour edit lists; the checker reads what the tables say without them.
  private static let times: Set<Rule> = [.startsAtZero, .endsTogether, .duration, .audioTiming]
  /// Left out by the checker where the codec itself is refused, or is not read.
  private static let bitstream: Set<Rule> = [
    .videoCodec, .videoProfile, .pixelFormat, .progressive, .colorTags, .startsAtZero,
  ]

  /// Of which nothing can be said by comparing the two.
  private func incomparable(_ name: String, _ told: Set<Rule>) -> Set<Rule> {
    var rules = Self.apart
    if told.contains(.noEditList) || told.contains(.noFragments) { rules.formUnion(Self.times) }
    // Lengths where the checker compares ends.
    if told.contains(.startsAtZero) { rules.insert(.endsTogether) }
    if ["MPEG-4", "HEVC", "VP9 in MP4"].contains(name) { rules.formUnion(Self.bitstream) }
    // "yuvj420p" is a format of its own for ffprobe.
    if name == "full range" { rules.insert(.pixelFormat) }
    return rules
  }

  @Test(arguments: outputs) func `both tell the same rules`(output: Output) async throws {
    let folder = try TemporaryDirectory()
    let file = folder.file("clip.mp4")
    try Tool.ffmpeg.run(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=70", "-f", "lavfi", "-i",
        "sine=d=70", "-t", "4",
      ] + output.arguments + [file.path])
    try await compare(file, name: output.name)
  }

  @Test(
    .enabled(if: Tool.handBrake.isAvailable, "needs HandBrakeCLI"), arguments: handBrakePresets)
  func `both tell the same rules of HandBrake's files`(preset: String) async throws {
    let folder = try TemporaryDirectory()
    let source = folder.file("source.mp4")
    try Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=4", "-f", "lavfi", "-i",
      "sine=d=4:sample_rate=48000", source.path,
    ])
    let file = folder.file("clip.mp4")
    try Tool.handBrake.run(["-i", source.path, "-o", file.path, "--preset", preset])
    try await compare(file, name: preset)
  }

  private func compare(_ file: URL, name: String) async throws {
    let report = try await Check().run(FilePath(file.path))
    let all = Set(report.rules.filter { $0.verdict != .pass }.map(\.rule))
    let ignored = incomparable(name, all)
    let told = all.subtracting(ignored)
    let problems =
      try IndependentCheck(isCopy: true).problems(in: file)
      + [try priming(file), try audioTiming(file)].compactMap { $0 }
    let oracle = Set(
      problems.map { Rule(rawValue: String($0.prefix { $0 != ":" })) }
    ).subtracting(ignored)
    let (early, missed) = (told.subtracting(oracle), oracle.subtracting(told))
    #expect(
      told == oracle,
      "told alone: \(early.map(\.rawValue)), not told: \(missed.map(\.rawValue)), of \(problems)")
  }

  /// The first packet of AAC, by ffprobe, that does not begin 1,024 samples after the one before it.
  private func audioTiming(_ file: URL) throws -> String? {
    let text = try Tool.ffprobe.run([
      "-v", "error", "-ignore_editlist", "1", "-select_streams", "a:0", "-show_entries",
      "stream=codec_name,sample_rate:packet=pts_time", "-of", "csv=p=0", file.path,
    ]).text
    var lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: ",") }
    guard let last = lines.popLast(), last.first == "aac", last.count == 2,
      let rate = Double(last[1])
    else { return nil }
    let times = lines.compactMap { $0.first.flatMap { Double($0) } }
    guard let first = times.first else { return nil }
    let off = times.indices.first { abs(times[$0] - first - Double($0) * 1024 / rate) > 0.0012 }
    return off.map { "audio-timing: packet \($0) begins at \(times[$0])" }
  }

  /// Whether the first packet, by ffprobe, names its encoder, and no edit list stands by the box walk.
  private func priming(_ file: URL) throws -> String? {
    let lists = try BoxOracle(file).boxes.contains { $0.type == "elst" || $0.type == "moof" }
    let dump = try Tool.ffprobe.run([
      "-v", "error", "-select_streams", "a:0", "-show_packets", "-show_data", "-read_intervals",
      "%+#1", file.path,
    ]).text
    return !lists && dump.contains("Lavc")
      ? "audio-priming: the first packet names its encoder" : nil
  }
}
