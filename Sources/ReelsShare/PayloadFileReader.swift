import Foundation
import ReelsModel

/// Reads files of a payload directory into memory, each once.
enum PayloadFileReader {
  /// The whole of a file that the manifest describes.
  ///
  /// - Throws: `ShareError` for a file that is not there, is no regular file, or has another size.
  static func read(_ file: Manifest.File, in directory: URL) throws(ShareError) -> Data {
    let size = try regularSize(of: file.name, in: directory)
    guard size == file.bytes else {
      throw ShareError(
        code: .wrongFile,
        sentence: "\(file.name) has \(size) bytes; the manifest says \(file.bytes)")
    }
    let data = try contents(of: file.name, in: directory)
    // It may have changed since it was measured.
    guard Int64(data.count) == file.bytes else {
      throw ShareError(
        code: .wrongFile,
        sentence: "\(file.name) has \(data.count) bytes; the manifest says \(file.bytes)")
    }
    return data
  }

  /// The whole of a file of at most `bytesMaximum` bytes.
  ///
  /// - Throws: `ShareError`.
  static func read(
    _ name: String, in directory: URL, bytesMaximum: Int
  ) throws(ShareError) -> Data {
    guard try regularSize(of: name, in: directory) <= Int64(bytesMaximum) else {
      throw ShareError(code: .badManifest, sentence: "\(name) is too large to be a manifest")
    }
    return try contents(of: name, in: directory)
  }

  /// The size of a file that is no link, so that what is read lies in the directory.
  private static func regularSize(
    of name: String, in directory: URL
  ) throws(ShareError) -> Int64 {
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(
        atPath: directory.appendingPathComponent(name).path)
    } catch {
      throw unreadable(name, directory)
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? NSNumber
    else {
      throw ShareError(code: .unsafeFile, sentence: "\(name) is no regular file")
    }
    return size.int64Value
  }

  private static func contents(of name: String, in directory: URL) throws(ShareError) -> Data {
    do {
      // One allocation of the file's size; a mapping could change under the check.
      return try Data(contentsOf: directory.appendingPathComponent(name))
    } catch {
      throw unreadable(name, directory)
    }
  }

  private static func unreadable(_ name: String, _ directory: URL) -> ShareError {
    ShareError(
      code: .unreadable,
      sentence:
        "\(name) in \(directory.lastPathComponent.singleLine) is not there or cannot be read"
    )
  }
}
