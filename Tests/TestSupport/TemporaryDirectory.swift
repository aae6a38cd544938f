package import Foundation
package import ReelsModel

/// A new folder that is removed with all it holds when nothing refers to it any more.
package final class TemporaryDirectory: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "reels-prep-tests-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Where a file of this name is or will be.
  package func file(_ name: String) -> URL { url.appending(path: name) }

  /// Everything inside, hidden files too, as paths relative to the folder, sorted.
  package var contents: [String] {
    (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []).sorted()
  }
}

extension URL {
  /// The same place as the product names it.
  package var filePath: FilePath {
    FilePath(
      bytes: withUnsafeFileSystemRepresentation { path in
        path.map { UnsafeBufferPointer(start: $0, count: strlen($0)).map { UInt8(bitPattern: $0) } }
          ?? []
      })
  }
}
