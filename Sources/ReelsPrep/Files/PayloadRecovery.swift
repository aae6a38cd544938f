import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Puts right what killed processes left in an output directory.
///
/// A hidden directory is left behind exactly if its lock can be taken. On a file system without
/// locks nothing is ever taken for left behind.
enum PayloadRecovery {
  /// Removes partial payloads that nobody works on, and finishes interrupted replacements: an old
  /// payload that was moved aside goes back if its name is free, and is removed if it is not.
  ///
  /// What cannot be removed is left for the next time.
  ///
  /// - Throws: `FileError` where `output` cannot be listed.
  static func recover(in output: FilePath) throws(FileError) {
    for name in try DirectoryTree.names(in: output) {
      guard let (payload, purpose) = PayloadName.parse(hidden: name) else { continue }
      let path = output.appending(name)
      do {
        guard let held = try lock(path, unlocked: false) else { continue }
        switch purpose {
        case .partial: try DirectoryTree.remove(path)
        case .aside: try putBack(path, as: output.appending(payload))
        }
        _ = held.descriptor
      } catch {
        // Left for the next time.
      }
    }
  }

  /// A new payload takes the place of the old one only by a rename onto a free name, so that a
  /// name that is taken means that the replacement was done.
  private static func putBack(_ aside: FilePath, as final: FilePath) throws(FileError) {
    do throws(FileError) {
      try FileSystem.rename(aside, to: final)
    } catch {
      guard [EEXIST, ENOTEMPTY].contains(error.number) else { throw error }
      try DirectoryTree.remove(aside)
    }
  }

  /// Locks a directory that is not behind a symbolic link.
  ///
  /// - Parameter unlocked: Whether a file system without locks will do.
  /// - Returns: nil where someone holds the lock, and where the directory is gone or is another
  ///   one by now.
  static func lock(_ path: FilePath, unlocked: Bool) throws(FileError) -> OpenFile? {
    guard let directory = try openIfThere(path) else { return nil }
    switch directory.tryLock() {
    case .taken: break
    case .held: return nil
    case .unsupported: guard unlocked else { return nil }
    }
    // Between the opening and the lock, another process may have removed or replaced it.
    let identity = try FileSystem.status(path, followingLinks: false)?.identity
    guard try directory.status().identity == identity else { return nil }
    return directory
  }

  private static func openIfThere(_ path: FilePath) throws(FileError) -> OpenFile? {
    do throws(FileError) {
      return try OpenFile.open(path, for: .directory)
    } catch {
      if error.number == ENOENT { return nil }
      throw error
    }
  }
}
