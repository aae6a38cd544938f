internal import Foundation
internal import ReelsModel

/// A folder that is removed with its owner.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("reels-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> FilePath { FilePath(url.path + "/" + name) }

  /// Writes a file, and the folders that lead to it.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> FilePath {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return path(name)
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> FilePath {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a script that can be run.
  ///
  /// Another process does it: a process that another test starts meanwhile would inherit the open
  /// file from this one, and nobody can run a file that is open for writing.
  func writeScript(_ text: String, to name: String) throws -> FilePath {
    let source = try write(text, to: name + ".text")
    let copy = Process()
    copy.executableURL = URL(fileURLWithPath: "/bin/sh")
    copy.arguments = ["-c", #"cp "$0" "$1" && chmod 755 "$1""#, source.string, path(name).string]
    try copy.run()
    copy.waitUntilExit()
    return path(name)
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }

  /// The names in a folder, hidden ones included; none where it is absent.
  func names(in name: String = "") -> [String] {
    let folder = url.appendingPathComponent(name).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}

/// The first bytes of files, as far as their kind can be told from them.
enum Head {
  static let mp4 = [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isommp42".utf8)
  static let matroska: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x86, 0x81]
  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8)
  static let mp3 = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0]
}
