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
  /// A directory with other things in it.
  case foreign

  /// - Throws: `PrepError` for anything that is in the way: it is never removed.
  static func at(_ path: FilePath) throws(PrepError) -> PayloadOccupant {
    do throws(FileError) {
      for _ in 0..<PayloadPublisher.attempts {
        switch try look(path) {
        case .foreign: throw FileError(number: ENOTEMPTY, operation: "replace", path: path)
        case let occupant?: return occupant
        case nil: continue
        }
      }
      throw FileError(number: EEXIST, operation: "replace", path: path)
    } catch {
      switch error.number {
      // A symbolic link is the one or the other, by the system.
      case ENOTDIR, ELOOP: throw inTheWay(path, "is not a folder")
      case ENOTEMPTY: throw inTheWay(path, "is a folder without \(Manifest.fileName)")
      default: throw error.prepError(blame: .output)
      }
    }
  }

  /// Looks into one directory, whatever gets its name meanwhile.
  ///
  /// - Returns: nil where it lost the name before it was seen to be no payload: another job has
  ///   replaced it, and may be emptying it.
  private static func look(_ path: FilePath) throws(FileError) -> PayloadOccupant? {
    do throws(FileError) {
      let directory = try OpenFile.open(path, for: .directory)
      if try directory.status(of: FilePath(Manifest.fileName))?.kind == .file { return .payload }
      let isEmpty = try DirectoryTree.names(in: directory).isEmpty
      let named = try FileSystem.status(path, followingLinks: false)
      guard try directory.status().identity == named?.identity else { return nil }
      return isEmpty ? .emptyDirectory : .foreign
    } catch {
      if error.number == ENOENT { return .nothing }
      throw error
    }
  }

  private static func inTheWay(_ path: FilePath, _ fact: String) -> PrepError {
    PrepError(
      code: .output,
      sentence: "\(path) \(fact) and is in the way of the payload; move it away, or choose another"
        + " output folder with -o",
      blame: .output)
  }
}
