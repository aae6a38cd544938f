import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What has a payload's name.
enum PayloadOccupant {
  case nothing
  /// A directory without anything in it: a rename takes its place.
  case emptyDirectory
  /// A directory with a manifest.
  case payload

  /// - Throws: `PrepError` for anything else: it is in the way, and it is never removed.
  static func at(_ path: FilePath) throws(PrepError) -> PayloadOccupant {
    do throws(FileError) {
      guard let status = try FileSystem.status(path, followingLinks: false) else {
        return .nothing
      }
      guard status.kind == .directory else {
        throw FileError(number: ENOTDIR, operation: "replace", path: path)
      }
      let manifest = path.appending(Manifest.fileName)
      if try FileSystem.status(manifest, followingLinks: false)?.kind == .file { return .payload }
      if try DirectoryTree.names(in: path).isEmpty { return .emptyDirectory }
    } catch {
      guard error.number == ENOTDIR, error.operation == "replace" else {
        throw error.prepError(blame: .output)
      }
      throw inTheWay(path, "is not a folder")
    }
    throw inTheWay(path, "is a folder without \(Manifest.fileName)")
  }

  private static func inTheWay(_ path: FilePath, _ fact: String) -> PrepError {
    PrepError(
      code: .output,
      sentence: "\(path) \(fact) and is in the way of the payload; move it away, or choose another"
        + " output folder with -o",
      blame: .output)
  }
}
