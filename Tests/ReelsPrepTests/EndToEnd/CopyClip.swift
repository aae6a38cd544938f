import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

/// Clips that may be copied, and what became of them.
enum CopyClip {
  static let tags = [
    "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range",
    "tv",
  ]

  static let noTags = [
    "-color_primaries", "2", "-color_trc", "2", "-colorspace", "2", "-color_range", "0",
  ]

  /// Numbered frames that keep every rule.
  static func make(
    _ container: ClipFormat.Container = .mp4,
    _ clock: ClipClock = .constant(Ratio(30), seconds: 6),
    size: PixelSize = PixelSize(width: 320, height: 180), gopFrames: Int = 30, bFrames: Int = 2,
    tagged: Bool = true, tone: Bool = true, extra: [String] = [], in folder: TemporaryDirectory
  ) throws -> URL {
    try NumberedClip(
      clock, size: size,
      format: ClipFormat(
        container, audioCodec: .aac, gopFrames: gopFrames, bFrames: bFrames,
        extra: (tagged ? CopyClip.tags : CopyClip.noTags) + extra), hasTone: tone
    ).write(in: folder)
  }

  /// MD5 of each packet's bytes, in the file's order.
  static func packets(_ file: URL, _ stream: String) throws -> [String] {
    try Tool.ffprobe.run([
      "-v", "error", "-select_streams", stream, "-show_packets", "-show_data_hash", "md5",
      "-show_entries", "packet=data_hash", "-of", "default=nw=1:nk=1", file.path,
    ]).text.split(separator: "\n").filter { $0.hasPrefix("MD5:") }.map(String.init)
  }

  static func steps(
    _ manifest: Manifest, _ stream: Plan.Step.Stream
  ) -> [Plan.Step] { manifest.steps.filter { $0.stream == stream } }

  static func expectCopied(_ made: Prepared, audio: Bool = true) throws {
    #expect(steps(made.manifest, .video).map(\.action) == [.copy])
    if audio { #expect(steps(made.manifest, .audio).map(\.action) == [.copy]) }
    #expect(made.manifest.work.framesEncoded == 0)
    #expect(made.manifest.work.encodesPerFrame == 0)
    let problems = try IndependentCheck(isCopy: true).problems(in: made.video)
    #expect(problems == [])
  }
}
