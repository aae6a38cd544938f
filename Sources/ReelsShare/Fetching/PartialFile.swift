import Foundation
import ReelsModel

/// A file that is being fetched: what came so far, and its hash.
///
/// Its name holds the hash that the whole file must have, so that what was begun of another version is never gone on
/// with.
struct PartialFile {
  let url: URL
  private let handle: FileHandle
  private var digest = SHA256Digest()
  private(set) var count: Int64 = 0

  private static let suffix = ".part"
  private static let pieceBytes = 1 << 20

  /// Whether a name is one of these files'.
  static func isName(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(suffix) && name.utf8.count == 65 + suffix.utf8.count
  }

  /// Opens what an earlier try has left, or begins anew.
  ///
  /// - Throws: `ShareError`.
  init(of file: Manifest.File, in directory: URL) throws(ShareError) {
    url = directory.appendingPathComponent(".\(file.sha256.lowercased())\(Self.suffix)")
    do {
      if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
      handle = try FileHandle(forUpdating: url)
      while let data = try handle.read(upToCount: Self.pieceBytes), !data.isEmpty {
        digest.update(data)
        count += Int64(data.count)
      }
    } catch {
      throw Self.unwritable(file.name)
    }
    // More than the whole is of no use.
    if count > file.bytes { try restart(file) }
  }

  mutating func append(_ data: Data, _ file: Manifest.File) throws(ShareError) {
    do {
      try handle.write(contentsOf: data)
    } catch {
      throw Self.unwritable(file.name)
    }
    digest.update(data)
    count += Int64(data.count)
  }

  mutating func restart(_ file: Manifest.File) throws(ShareError) {
    do {
      try handle.truncate(atOffset: 0)
      try handle.seek(toOffset: 0)
    } catch {
      throw Self.unwritable(file.name)
    }
    digest = SHA256Digest()
    count = 0
  }

  /// Gives the file its name, where it is the one that the manifest describes.
  ///
  /// - Throws: `ShareError`; then nothing of it is left.
  func finish(_ file: Manifest.File, in directory: URL) throws(ShareError) {
    try? handle.close()
    guard digest.finish() == file.sha256.lowercased() else {
      try? FileManager.default.removeItem(at: url)
      throw ShareError(
        code: .wrongHash,
        sentence: "\(file.name) on the server is not the file that the manifest describes: its"
          + " SHA-256 differs")
    }
    do {
      let whole = directory.appendingPathComponent(file.name)
      try? FileManager.default.removeItem(at: whole)
      try FileManager.default.moveItem(at: url, to: whole)
    } catch {
      throw Self.unwritable(file.name)
    }
  }

  func close() { try? handle.close() }

  static func unwritable(_ name: String) -> ShareError {
    ShareError(
      code: .unwritable, sentence: "\(name.singleLine) cannot be written; is the disk full?")
  }
}
