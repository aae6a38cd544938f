package import Foundation

/// The collection of real files, where this machine has it: `$REELS_CORPUS`, or `../shared/corpus`
/// beside the package.
package enum Corpus {
  /// nil where there is none.
  package static let directory: URL? = {
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["REELS_CORPUS"].map { URL(filePath: $0) }
    let folder = named ?? package.appending(path: "../shared/corpus").standardizedFileURL
    let manifest = folder.appending(path: "MANIFEST.tsv").path
    return FileManager.default.fileExists(atPath: manifest) ? folder : nil
  }()

  /// One line of the manifest.
  package struct File: Sendable, CustomStringConvertible {
    package let url: URL
    /// The path inside the corpus.
    package let name: String
    package let category: String
    package let special: String
    /// A line that ffprobe's findings were condensed to.
    package let probe: String
    /// What decoding its first 4 s said.
    package let decodeCheck: String

    /// Whether it decoded without a complaint.
    package var decodes: Bool { decodeCheck.hasPrefix("decodes 4 s") }
    package var description: String { name }
  }

  /// Every file of the manifest, in its order; empty where there is no corpus.
  package static let files: [File] = {
    guard let directory,
      let text = try? String(
        contentsOf: directory.appending(path: "MANIFEST.tsv"), encoding: .utf8)
    else { return [] }
    return text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count >= 7 else { return nil }
      return File(
        url: directory.appending(path: columns[0]), name: columns[0], category: columns[3],
        special: columns[4], probe: columns[5], decodeCheck: columns[6])
    }
  }()

  package static func files(in category: String) -> [File] {
    files.filter { $0.category == category }
  }
}
