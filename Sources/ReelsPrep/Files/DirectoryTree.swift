package import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What is inside a directory. Symbolic links are never followed below it.
package enum DirectoryTree {
  /// The names in a directory, without "." and "..", in the order of their bytes.
  ///
  /// - Throws: `FileError`. readdir(3).
  package static func names(in path: FilePath) throws(FileError) -> [FilePath] {
    try names(in: OpenFile.open(path, for: .directoryBehindLinks))
  }

  /// Removes a directory and everything in it. A symbolic link inside is removed itself, never
  /// followed; at `path` it is an error. Nothing of that name is not an error.
  ///
  /// - Throws: `FileError`. unlinkat(2).
  package static func remove(_ path: FilePath) throws(FileError) {
    do {
      try empty(OpenFile.open(path, for: .directory), depth: 0)
      _ = try FileSystem.call("remove", path) { name in
        // Sound: `name` is NUL-terminated and outlives the call.
        unsafe rmdir(name)
      }
    } catch {
      guard error.number == ENOENT else { throw error }
    }
  }

  /// Waits until every file in a directory, and the directory, is on the device.
  ///
  /// - Throws: `FileError`.
  package static func synchronize(_ path: FilePath) throws(FileError) {
    let directory = try OpenFile.open(path, for: .directory)
    for name in try names(in: directory) {
      let kind = try FileSystem.status(path.appending(name), followingLinks: false)?.kind
      if kind == .file { try directory.open(name, for: .reading).synchronize() }
    }
    try directory.synchronize()
  }

  /// A payload holds a handful of files; nothing of ours is nested deeper than this.
  private static let depthLimit = 64

  private static func empty(_ directory: borrowing OpenFile, depth: Int) throws(FileError) {
    guard depth < depthLimit else {
      throw FileError(number: ELOOP, operation: "remove", path: directory.path)
    }
    for name in try names(in: directory) {
      do throws(FileError) {
        try unlink(name, in: directory, flags: 0)
      } catch {
        // Linux says EISDIR and POSIX EPERM for a directory.
        guard [EISDIR, EPERM].contains(error.number), isDirectory(name, in: directory) else {
          throw error
        }
        try empty(directory.open(name, for: .directory), depth: depth + 1)
        try unlink(name, in: directory, flags: AT_REMOVEDIR)
      }
    }
  }

  private static func isDirectory(_ name: FilePath, in directory: borrowing OpenFile) -> Bool {
    (try? directory.open(name, for: .directory)) != nil
  }

  /// Removes one name; one that is gone already is not an error.
  private static func unlink(
    _ name: FilePath, in directory: borrowing OpenFile, flags: CInt
  ) throws(FileError) {
    let descriptor = directory.descriptor
    do throws(FileError) {
      _ = try FileSystem.call("remove", directory.path.appending(name), argument: name) { name in
        // Sound: `name` is NUL-terminated and outlives the call.
        unsafe unlinkat(descriptor, name, flags)
      }
    } catch {
      guard error.number == ENOENT else { throw error }
    }
  }

  static func names(in directory: borrowing OpenFile) throws(FileError) -> [FilePath] {
    // The stream owns its descriptor, so it gets one of its own.
    let copy = fcntl(directory.descriptor, F_DUPFD_CLOEXEC, 0)
    // Sound: `copy` is a descriptor or -1, for which fdopendir returns nil.
    guard let stream = unsafe fdopendir(copy) else {
      let number = errno
      if copy >= 0 { _ = close(copy) }
      throw FileError(number: number, operation: "list", path: directory.path)
    }
    // Sound: the stream is open, and nobody uses it after this.
    defer { unsafe _ = closedir(stream) }
    // Sound: as above. The copy shares its position with the original.
    unsafe rewinddir(stream)
    var names: [FilePath] = []
    while true {
      errno = 0
      // Sound: the stream is open; the entry is read before the next call.
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe bytes(of: entry)
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(FilePath(bytes: name)) }
    }
    let number = errno
    guard number == 0 else {
      throw FileError(number: number, operation: "list", path: directory.path)
    }
    return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  private static func bytes(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    // Sound: the name is NUL-terminated inside the entry, however short the entry was allocated.
    let name = unsafe (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: UInt8.self)
    // Sound: as above.
    return unsafe Array(
      UnsafeBufferPointer(
        start: name, count: strlen(UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))))
  }
}
