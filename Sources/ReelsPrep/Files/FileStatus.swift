package import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the file system says about a name.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case file, directory, symbolicLink, other
  }

  package var kind: Kind
  package var bytes: ByteCount
  /// Seconds since 1970.
  package var modified: MediaTime
  /// Both together name a file, whatever paths lead to it.
  package var identity: Identity

  package struct Identity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64
  }
}

extension FileStatus {
  init(_ info: stat) {
    switch info.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    default: kind = .other
    }
    #if canImport(Darwin)
      let time = info.st_mtimespec
    #else
      let time = info.st_mtim
    #endif
    bytes = ByteCount(Int64(info.st_size))
    modified =
      MediaTime(seconds: Int64(time.tv_sec))
      + MediaTime(ticks: Int64(time.tv_nsec), timeBase: Ratio(1, 1_000_000_000))
    identity = Identity(
      device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(info.st_ino))
  }
}
