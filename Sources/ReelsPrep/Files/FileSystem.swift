package import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file system's calls, by paths that hold any bytes.
package enum FileSystem {
  /// What `path` is; nil where nothing has that name.
  ///
  /// - Parameter followingLinks: Whether a symbolic link counts as what it leads to.
  /// - Throws: `FileError`. stat(2), lstat(2).
  package static func status(
    _ path: FilePath, followingLinks: Bool = true
  ) throws(FileError) -> FileStatus? {
    var info = stat()
    do {
      _ = try call("inspect", path) { name in
        // Sound: `name` is NUL-terminated, `info` is a whole `stat`; both outlive the call.
        followingLinks ? unsafe stat(name, &info) : unsafe lstat(name, &info)
      }
    } catch {
      if error.number == ENOENT { return nil }
      throw error
    }
    return FileStatus(info)
  }

  /// The whole of a regular file of at most `limit` bytes.
  ///
  /// - Throws: `FileError`, with EFBIG for a larger file and EINVAL for a pipe or a device.
  package static func read(_ path: FilePath, limit: ByteCount) throws(FileError) -> [UInt8] {
    let file = try OpenFile.open(path, for: .reading)
    try requireRegular(file.status(), path)
    // One byte more than allowed, so that a file that grew meanwhile is seen.
    let room = min(try file.status().bytes.value, limit.value) + 1
    let bytes = try file.read(Int(room))
    guard bytes.count <= limit.value else {
      throw FileError(number: EFBIG, operation: "read", path: path)
    }
    return bytes
  }

  /// Hands a regular file's bytes over in order, at most `chunk` at a time.
  ///
  /// - Throws: `FileError`, with EINVAL for a pipe or a device.
  package static func readChunks(
    _ path: FilePath, chunk: Int = 1 << 20, _ body: ([UInt8]) -> Void
  ) throws(FileError) {
    let file = try OpenFile.open(path, for: .reading)
    try requireRegular(file.status(), path)
    while true {
      let bytes = try file.read(chunk)
      if bytes.isEmpty { return }
      body(bytes)
    }
  }

  private static func requireRegular(
    _ status: FileStatus, _ path: FilePath
  ) throws(FileError) {
    guard status.kind == .file else {
      let number = status.kind == .directory ? EISDIR : EINVAL
      throw FileError(number: number, operation: "read", path: path)
    }
  }

  /// Makes the file or empties it, writes `bytes` and waits until they are on the device.
  ///
  /// - Throws: `FileError`.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
    let file = try OpenFile.open(path, for: .writing)
    try file.write(bytes)
    try file.synchronize()
  }

  /// - Throws: `FileError`, with EEXIST where the name is taken. mkdir(2).
  package static func makeDirectory(_ path: FilePath) throws(FileError) {
    _ = try call("create", path) { name in
      // Sound: `name` is NUL-terminated and outlives the call.
      unsafe mkdir(name, 0o777)
    }
  }

  /// Makes `path` and the directories that lead to it; what is there already is left alone.
  ///
  /// - Throws: `FileError`, with ENOTDIR where something else has the name.
  package static func makeDirectories(_ path: FilePath) throws(FileError) {
    if let status = try status(path) {
      guard status.kind == .directory else {
        throw FileError(number: ENOTDIR, operation: "write into", path: path)
      }
      return
    }
    if path.parent != path { try makeDirectories(path.parent) }
    do {
      try makeDirectory(path)
    } catch {
      // Another process may have made it just now.
      guard error.number == EEXIST, try status(path)?.kind == .directory else { throw error }
      return
    }
    try synchronizeDirectory(path.parent)
  }

  /// Moves `source` to `target`. A directory takes the place of an empty directory only.
  ///
  /// - Throws: `FileError` about `target`. rename(2).
  package static func rename(_ source: FilePath, to target: FilePath) throws(FileError) {
    let from = source.cString
    _ = try call("create", target) { to in
      systemRename(from, to)
    }
  }

  /// Removes a file's name.
  ///
  /// - Throws: `FileError`, with ENOENT where there is none. unlink(2).
  package static func remove(_ path: FilePath) throws(FileError) {
    _ = try call("remove", path) { name in
      // Sound: `name` is NUL-terminated and outlives the call.
      unsafe unlink(name)
    }
  }

  /// Exchanges what two names stand for, in one step.
  ///
  /// - Returns: false where the system or the file system cannot do it; nothing was changed.
  /// - Throws: `FileError` about `second`. renameat2(2), renamex_np(2).
  package static func exchange(
    _ first: FilePath, _ second: FilePath
  ) throws(FileError) -> Bool {
    let from = first.cString
    do throws(FileError) {
      _ = try call("replace", second) { to in
        #if canImport(Darwin)
          // Sound: both names are NUL-terminated and outlive the call.
          return unsafe renamex_np(from, to, UInt32(RENAME_SWAP))
        #else
          return exchangeNames(from, to)
        #endif
      }
    } catch {
      if [ENOSYS, EINVAL, ENOTSUP, EOPNOTSUPP].contains(error.number) { return false }
      throw error
    }
    return true
  }

  #if !canImport(Darwin)
    private typealias RenameAt2 =
      @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt

    /// renameat2(2) is declared only with _GNU_SOURCE, which Swift's view of the library lacks, and
    /// older libraries do not have it, so that it is looked up by name.
    private static func exchangeNames(_ first: [CChar], _ second: [CChar]) -> CInt {
      let exchange: CUnsignedInt = 2  // RENAME_EXCHANGE, linux/fs.h
      // Sound: nil is RTLD_DEFAULT, and dlsym returns nil for a name that is not there.
      guard let symbol = unsafe dlsym(nil, "renameat2") else {
        errno = ENOSYS
        return -1
      }
      // Sound: this is the signature of renameat2 in stdio.h.
      let rename = unsafe unsafeBitCast(symbol, to: RenameAt2.self)
      // Sound: both names are NUL-terminated and outlive the call.
      return unsafe rename(AT_FDCWD, first, AT_FDCWD, second, exchange)
    }
  #endif

  /// Waits until the names in a directory are on the device.
  ///
  /// - Throws: `FileError`.
  package static func synchronizeDirectory(_ path: FilePath) throws(FileError) {
    try OpenFile.open(path, for: .directoryBehindLinks).synchronize()
  }

  /// Calls a function of the C library that returns -1 and sets `errno` on failure.
  static func call(
    _ operation: String, _ path: FilePath, argument: FilePath? = nil,
    _ body: ([CChar]) -> CInt
  ) throws(FileError) -> CInt {
    let name = (argument ?? path).cString
    while true {
      // The name lives on past the reading of errno, so that freeing it cannot change that.
      let (result, number) = withExtendedLifetime(name) { (body(name), errno) }
      if result >= 0 { return result }
      if number == EINTR { continue }
      throw FileError(number: number, operation: operation, path: path)
    }
  }
}

// The C function whose name a method of `FileSystem` hides.
private func systemRename(_ from: [CChar], _ to: [CChar]) -> CInt {
  // Sound: both names are NUL-terminated and outlive the call.
  unsafe rename(from, to)
}
