internal import Foundation

/// Another program that does the same work, as a practised person would call it.
enum Peer: String, CaseIterable, Sendable {
  case twoPassMedium, twoPassVeryfast, onePass, handBrake

  var name: String {
    switch self {
    case .twoPassMedium: "ffmpeg two-pass medium"
    case .twoPassVeryfast: "ffmpeg two-pass veryfast"
    case .onePass: "ffmpeg one-pass crf 23"
    case .handBrake: "HandBrakeCLI two-pass medium"
    }
  }

  /// The command's name.
  var command: String { self == .handBrake ? "HandBrakeCLI" : "ffmpeg" }

  func isAvailable(_ tools: Tools) -> Bool {
    (self == .handBrake ? tools.handBrake : tools.ffmpeg) != nil
  }

  static func available(_ tools: Tools) -> [Peer] { allCases.filter { $0.isAvailable(tools) } }

  /// The commands, one after the other, that make `output`.
  ///
  /// - Parameter videoRate: Bits a second, for those that take a rate.
  func commands(_ target: Target, videoRate: Double, output: URL, tools: Tools) -> [Command] {
    switch self {
    case .twoPassMedium: ffmpeg(target, passes: "medium", videoRate, output, tools)
    case .twoPassVeryfast: ffmpeg(target, passes: "veryfast", videoRate, output, tools)
    case .onePass:
      tools.ffmpeg.map { ffmpeg in
        [
          Command(
            ffmpeg,
            target.ffmpegInput + target.ffmpegVideo + ["-preset", "medium", "-crf", "23"]
              + Target.ffmpegOutput + [output.path])
        ]
      } ?? []
    case .handBrake: tools.handBrake.map { [handBrake($0, target, videoRate, output)] } ?? []
    }
  }

  private func ffmpeg(
    _ target: Target, passes preset: String, _ videoRate: Double, _ output: URL, _ tools: Tools
  ) -> [Command] {
    guard let ffmpeg = tools.ffmpeg else { return [] }
    let log = output.deletingPathExtension().path
    let rate = ["-preset", preset, "-b:v", "\(Int(videoRate))", "-passlogfile", log]
    return [
      Command(
        ffmpeg,
        target.ffmpegInput + target.ffmpegVideo + rate
          + ["-pass", "1", "-an", "-f", "null", "/dev/null"]),
      Command(
        ffmpeg,
        target.ffmpegInput + target.ffmpegVideo + rate + ["-pass", "2"] + Target.ffmpegOutput
          + [output.path]),
    ]
  }

  /// Its filters off, the same size and frame rate, the first pass a fast one as ffmpeg's is.
  private func handBrake(
    _ path: String, _ target: Target, _ videoRate: Double, _ output: URL
  ) -> Command {
    let (width, height) = ("\(target.width)", "\(target.height)")
    return Command(
      path,
      [
        "-i", target.input, "-o", output.path, "-f", "av_mp4", "--optimize",
        "--start-at", "seconds:\(target.start)", "--stop-at", "seconds:\(target.seconds)",
        "-e", "x264", "--encoder-preset", "medium", "--encoder-profile", "high",
        "-b", "\(Int(videoRate / 1000))", "-2", "-T", "--cfr",
        "-r", "\((target.rate * 1000).rounded() / 1000)", "--crop", "0:0:0:0",
        "--maxWidth", width, "--maxHeight", height, "-w", width, "-l", height,
        "--non-anamorphic", "--no-comb-detect", "--no-decomb", "--no-deinterlace",
        "-E", "av_aac", "-B", "128",
      ])
  }
}
