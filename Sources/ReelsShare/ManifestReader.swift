import Foundation
import ReelsModel

/// Reads and checks `payload.json`.
enum ManifestReader {
  /// A manifest is a few kilobytes; more than this is none.
  static let bytesMaximum = 4 << 20

  /// - Throws: `ShareError` for a manifest that cannot be read, is of another version, or names a
  ///   file that it must not.
  static func read(in directory: URL) throws(ShareError) -> Manifest {
    try parse(
      PayloadFileReader.read(Manifest.fileName, in: directory, bytesMaximum: bytesMaximum))
  }

  /// - Throws: `ShareError` as above.
  static func parse(_ data: Data) throws(ShareError) -> Manifest {
    let name = Manifest.fileName
    let decoder = JSONDecoder()
    let header: Header
    do {
      header = try decoder.decode(Header.self, from: data)
    } catch {
      throw ShareError(code: .badManifest, sentence: "\(name) is not a payload's manifest")
    }
    guard header.formatVersion == Manifest.currentVersion else {
      throw ShareError(
        code: .unsupportedVersion,
        sentence: "\(name) has format version \(header.formatVersion); this library reads version"
          + " \(Manifest.currentVersion)")
    }
    let manifest: Manifest
    do {
      manifest = try decoder.decode(Manifest.self, from: data)
    } catch {
      throw ShareError(
        code: .badManifest, sentence: "\(name) lacks a part of a manifest: \(path(of: error))")
    }
    try check(manifest.files)
    return manifest
  }

  private struct Header: Decodable {
    var formatVersion: Int
  }

  private static func check(_ files: [Manifest.File]) throws(ShareError) {
    var names: Set<String> = []
    for file in files {
      guard isPlain(file.name) else {
        throw ShareError(
          code: .unsafeFile,
          sentence: "the manifest names \"\(file.name.singleLine)\", which is no plain file name")
      }
      guard names.insert(file.name).inserted else {
        throw ShareError(code: .badManifest, sentence: "the manifest names \(file.name) twice")
      }
      guard file.bytes > 0 else {
        throw ShareError(code: .wrongFile, sentence: "the manifest says that \(file.name) is empty")
      }
    }
  }

  /// Whether a name stays inside a directory: no separator of any system, no control character, and
  /// not hidden, which rules out "." and "..".
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && !name.contains("/") && !name.contains("\\") && !name.contains(":")
      && name == name.singleLine
  }

  private static func path(of error: any Error) -> String {
    let keys: [any CodingKey] =
      switch error {
      case DecodingError.keyNotFound(let key, let context): context.codingPath + [key]
      case DecodingError.typeMismatch(_, let context): context.codingPath
      case DecodingError.valueNotFound(_, let context): context.codingPath
      case DecodingError.dataCorrupted(let context): context.codingPath
      default: []
      }
    return keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
      .singleLine
  }
}
