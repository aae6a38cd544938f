internal import Foundation

/// The clips that are measured where none are given: made once, kept in `.build/bench/clips`.
struct ClipSet {
  let bench: Bench

  /// Part of the folder's name: to be raised whenever a clip is made otherwise.
  private static let version = 1

  private var folder: URL {
    bench.tools.cache.appending(path: "clips/\(bench.options.seconds)s-v\(Self.version)")
  }

  /// All of them.
  func files() throws -> [URL] {
    let seconds = bench.options.seconds
    var files = try SyntheticClip.all(seconds: seconds).map {
      try made($0.name, $0.ffmpegArguments(seconds: seconds))
    }
    if let natural = try natural() { files.insert(natural, at: 0) }
    return files
  }

  /// The one that stands for them: the natural mix, or the cuts where there is no corpus.
  func main() throws -> URL {
    if let natural = try natural() { return natural }
    let seconds = bench.options.seconds
    guard let cuts = SyntheticClip.all(seconds: seconds).last else { throw BenchError("no clip") }
    return try made(cuts.name, cuts.ffmpegArguments(seconds: seconds))
  }

  /// The folder that holds all of them and nothing else.
  func directory() throws -> URL {
    _ = try files()
    return folder
  }

  private func natural() throws -> URL? {
    guard let mix = NaturalMix(package: bench.tools.package) else { return nil }
    return try made("natural-mix-30", mix.ffmpegArguments(seconds: bench.options.seconds))
  }

  private func made(_ name: String, _ arguments: [String]) throws -> URL {
    try Self.made(folder.appending(path: "\(name).mp4"), arguments, bench: bench)
  }

  /// Makes a file with ffmpeg where it is not there yet.
  static func made(_ file: URL, _ arguments: [String], bench: Bench) throws -> URL {
    if FileManager.default.fileExists(atPath: file.path) { return file }
    guard let ffmpeg = bench.tools.ffmpeg else { throw BenchError("clips need the ffmpeg command") }
    bench.log("making \(file.lastPathComponent)")
    let folder = file.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let part = bench.scratch.appending(path: "part-\(file.lastPathComponent)")
    try Command(ffmpeg, arguments + [part.path]).run()
    try FileManager.default.moveItem(at: part, to: file)
    return file
  }
}
