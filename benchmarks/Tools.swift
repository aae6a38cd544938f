internal import Foundation

/// Where the commands are: ours beside this one, the peers in `PATH`.
struct Tools: Sendable {
  /// The package's folder.
  let package: URL
  /// This program.
  let bench: String
  let reelsPrep: String
  let ffmpeg: String?
  let handBrake: String?

  /// - Throws: `BenchError` where reels-prep is not built beside this program.
  init() throws {
    let here = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
      .resolvingSymlinksInPath()
    bench = here.path
    let folder = here.deletingLastPathComponent()
    reelsPrep = folder.appending(path: "reels-prep").path
    guard FileManager.default.isExecutableFile(atPath: reelsPrep) else {
      throw BenchError(
        "reels-prep is not beside reels-bench; swift build -c release --product reels-prep")
    }
    var candidate = folder
    while candidate.path != "/", !Self.isPackage(candidate) { candidate.deleteLastPathComponent() }
    package =
      Self.isPackage(candidate)
      ? candidate : URL(filePath: FileManager.default.currentDirectoryPath)
    ffmpeg = Self.inPath("ffmpeg")
    handBrake = Self.inPath("HandBrakeCLI")
  }

  private static func isPackage(_ folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
  }

  /// Where everything goes that can be made again.
  var cache: URL { package.appending(path: ".build/bench") }

  /// The ffmpeg with libvmaf that `benchmarks/setup` fetches; nil where it has not.
  var qualityFFmpeg: String? {
    let path = cache.appending(path: "vmaf/ffmpeg").path
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }

  /// The path of a command in `PATH`.
  func find(_ name: String) -> String? { Self.inPath(name) }

  private static func inPath(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").lazy.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
