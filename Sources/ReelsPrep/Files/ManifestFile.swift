package import ReelsModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Manifests and events as JSON: sorted keys, UTF-8, slashes as they are, one trailing newline.
package enum ManifestFile {
  /// A manifest is a few kilobytes; more than this is none.
  package static let limit = ByteCount(4 << 20)

  /// The bytes of `payload.json`.
  ///
  /// - Throws: `PrepError` for a number that JSON cannot hold.
  package static func encode(_ manifest: Manifest) throws(PrepError) -> [UInt8] {
    try encode(manifest, formatting: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// One line of `--json`, with its newline.
  ///
  /// - Throws: `PrepError` for a number that JSON cannot hold.
  package static func line(_ event: Event) throws(PrepError) -> [UInt8] {
    try line(event as any Encodable)
  }

  /// Any value as one line, with its newline.
  ///
  /// - Throws: `PrepError` for a number that JSON cannot hold.
  package static func line(_ value: any Encodable) throws(PrepError) -> [UInt8] {
    try encode(value, formatting: [.sortedKeys, .withoutEscapingSlashes])
  }

  /// Any value as pretty-printed JSON, with a trailing newline.
  ///
  /// - Throws: `PrepError` for a number that JSON cannot hold.
  package static func pretty(_ value: any Encodable) throws(PrepError) -> [UInt8] {
    try encode(value, formatting: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// Reads the manifest in a payload directory.
  ///
  /// - Throws: `PrepError` for a file that cannot be read or is no manifest of this version.
  package static func read(in directory: FilePath) throws(PrepError) -> Manifest {
    let path = directory.appending(Manifest.fileName)
    let bytes: [UInt8]
    do {
      bytes = try FileSystem.read(path, limit: limit)
    } catch {
      throw error.prepError(blame: .input)
    }
    return try decode(bytes, from: path)
  }

  /// - Parameter path: Where the bytes are from, for the sentence.
  /// - Throws: `PrepError` for anything that is no manifest of this version.
  package static func decode(
    _ bytes: [UInt8], from path: FilePath
  ) throws(PrepError) -> Manifest {
    let decoder = JSONDecoder()
    let data = Data(bytes)
    do {
      let version = try decoder.decode(Header.self, from: data).formatVersion
      guard version == Manifest.currentVersion else {
        throw PrepError(
          code: .damaged,
          sentence: "\(path) has format version \(version); this reels-prep reads version"
            + " \(Manifest.currentVersion)",
          blame: .input)
      }
      return try decoder.decode(Manifest.self, from: data)
    } catch let error as PrepError {
      throw error
    } catch {
      throw PrepError(
        code: .damaged, sentence: "\(path): \(JSONProblem(error))", blame: .input)
    }
  }

  private struct Header: Decodable {
    var formatVersion: Int
  }

  private static func encode(
    _ value: any Encodable, formatting: JSONEncoder.OutputFormatting
  ) throws(PrepError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    do {
      return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    } catch {
      throw PrepError(
        code: .program, sentence: "cannot write JSON: \(JSONProblem(error))", blame: .program)
    }
  }
}
