import Foundation
import ReelsModel

@testable import ReelsPrep

/// A temporary directory, removed when it goes away.
final class Folder: Sendable {
  let path: FilePath

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "reels-prep-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = FilePath(url.path)
  }

  deinit { try? FileManager.default.removeItem(atPath: path.string) }

  func write(_ bytes: [UInt8], _ name: String) throws {
    try FileSystem.write(bytes, to: path.appending(name))
  }

  func makeDirectory(_ name: String) throws {
    try FileSystem.makeDirectories(path.appending(name))
  }

  /// The names in it, hidden ones included.
  var names: [String] {
    get throws { try DirectoryTree.names(in: path).map(\.string) }
  }
}
