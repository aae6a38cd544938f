internal import Foundation

/// Which versions ran.
struct Versions: Sendable {
  /// The package's commit, with `-dirty` where files differ from it.
  let commit: JSONValue
  let json: JSONValue

  init(tools: Tools, scratch: URL) {
    let git = tools.find("git")
    func answer(_ command: String?, _ arguments: [String]) -> String? {
      guard let command, let outcome = try? Command(command, arguments).run() else { return nil }
      return outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    let root = tools.package.path
    let hash = answer(git, ["-C", root, "rev-parse", "--short=12", "HEAD"])
    // Results change as they are written; they say nothing of what was measured.
    let changes = answer(
      git,
      ["-C", root, "status", "--porcelain", "--", "Sources", "Presets", "Package.swift"])
    commit = hash.map { .string($0 + (changes == "" ? "" : "-dirty")) } ?? .null

    func first(_ text: String?, after prefix: String) -> JSONValue {
      guard let line = text?.split(separator: "\n").first(where: { $0.contains(prefix) }),
        let found = line.range(of: prefix)
      else { return .null }
      return .string(String(line[found.upperBound...].prefix { $0 != " " && $0 != "(" }))
    }
    json = [
      "reels-prep": first(answer(tools.reelsPrep, ["--version"]), after: "reels-prep "),
      "ffmpeg": first(answer(tools.ffmpeg, ["-version"]), after: "ffmpeg version "),
      "libx264": Self.x264(tools: tools, scratch: scratch),
      "HandBrake": first(answer(tools.handBrake, ["--version"]), after: "HandBrake "),
      "swift": first(answer(tools.find("swift"), ["--version"]), after: "Swift version "),
      "quality ffmpeg": first(answer(tools.qualityFFmpeg, ["-version"]), after: "ffmpeg version "),
    ]
  }

  /// libx264 names itself in what it encodes.
  private static func x264(tools: Tools, scratch: URL) -> JSONValue {
    let file = scratch.appending(path: "version.h264")
    defer { try? FileManager.default.removeItem(at: file) }
    let mark = Data("x264 - core ".utf8)
    guard let ffmpeg = tools.ffmpeg,
      (try? Command(
        ffmpeg,
        [
          "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=s=64x64", "-frames:v", "1",
          "-c:v", "libx264", file.path,
        ]
      ).run()) != nil,
      let data = try? Data(contentsOf: file), let found = data.range(of: mark)
    else { return .null }
    let version = data[found.upperBound...].prefix(40)
    return .string(
      String(decoding: version, as: UTF8.self).components(separatedBy: " - ").first ?? "")
  }
}
