package import ReelsModel

extension Manifest.Fingerprint {
  /// How much of a file's start and end is hashed.
  package static let edge = ByteCount(1 << 20)

  /// Reads at most 2 MiB of a file.
  ///
  /// A file shorter than 1 MiB is its own head and tail.
  ///
  /// - Parameter sha256: The SHA-256 of some bytes, in lower-case hexadecimal.
  /// - Throws: `PrepError` for a file that cannot be read.
  package init(
    of path: FilePath, sha256: (_ bytes: [UInt8]) -> String
  ) throws(PrepError) {
    do throws(FileError) {
      let file = try OpenFile.open(path, for: .reading)
      let status = try file.status()
      let edge = Int(min(status.bytes, Self.edge).value)
      let head = try file.read(edge)
      try file.seek(to: status.bytes.value - Int64(edge))
      let tail = try file.read(edge)
      self.init(
        bytes: status.bytes.value, modified: status.modified, headSHA256: sha256(head),
        tailSHA256: sha256(tail))
    } catch {
      throw error.prepError(blame: .input)
    }
  }
}
