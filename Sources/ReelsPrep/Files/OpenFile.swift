package import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file or directory; closed when it goes away.
package struct OpenFile: ~Copyable {
  package let path: FilePath
  let descriptor: CInt

  package enum Use: Sendable {
    /// A file to read. A name that leads to a pipe or a device does not block.
    case reading
    /// A file to write, made or emptied. A symbolic link at its name is an error.
    case writing
    /// A directory, not a symbolic link to one.
    case directory
    /// A directory, also behind a symbolic link.
    case directoryBehindLinks

    fileprivate var flags: CInt {
      switch self {
      case .reading: O_RDONLY | O_NONBLOCK | O_CLOEXEC
      case .writing: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
      case .directory: O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
      case .directoryBehindLinks: O_RDONLY | O_DIRECTORY | O_CLOEXEC
      }
    }

    fileprivate var operation: String {
      switch self {
      case .writing: "create"
      case .reading, .directory, .directoryBehindLinks: "open"
      }
    }
  }

  private init(descriptor: CInt, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { _ = close(descriptor) }

  /// - Throws: `FileError`. open(2).
  package static func open(_ path: FilePath, for use: Use) throws(FileError) -> OpenFile {
    let descriptor = try FileSystem.call(use.operation, path) { name in
      systemOpen(name, use.flags, 0o666)
    }
    return OpenFile(descriptor: descriptor, path: path)
  }

  /// Opens `name` inside this directory. openat(2).
  func open(_ name: FilePath, for use: Use) throws(FileError) -> OpenFile {
    let path = path.appending(name)
    let directory = descriptor
    let opened = try FileSystem.call(use.operation, path, argument: name) { name in
      // Sound: `name` is NUL-terminated and outlives the call.
      unsafe openat(directory, name, use.flags, 0o666)
    }
    return OpenFile(descriptor: opened, path: path)
  }

  /// - Throws: `FileError`. fstat(2).
  package func status() throws(FileError) -> FileStatus {
    var info = stat()
    // Sound: `info` is a whole `stat` and outlives the call.
    try check("inspect", unsafe fstat(descriptor, &info))
    return FileStatus(info)
  }

  /// What `name` inside this directory is, a symbolic link as itself; nil where there is nothing.
  ///
  /// - Throws: `FileError`. fstatat(2).
  func status(of name: FilePath) throws(FileError) -> FileStatus? {
    var info = stat()
    let directory = descriptor
    do throws(FileError) {
      _ = try FileSystem.call("inspect", path.appending(name), argument: name) { name in
        // Sound: `name` is NUL-terminated, `info` is a whole `stat`; both outlive the call.
        unsafe fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW)
      }
    } catch {
      if error.number == ENOENT { return nil }
      throw error
    }
    return FileStatus(info)
  }

  /// Reads at most `count` bytes, fewer only at the file's end. read(2).
  package func read(_ count: Int) throws(FileError) -> [UInt8] {
    let descriptor = descriptor
    var failure: CInt = 0
    // Sound: `filled` counts the bytes that read(2) has written.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
      while filled < buffer.count {
        // Sound: the slice lies inside the buffer, which has room for `count` bytes.
        let rest = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        // Sound: as above.
        let got = unsafe systemRead(descriptor, rest)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        filled += got
      }
    }
    guard failure == 0 else { throw error("read", failure) }
    return bytes
  }

  /// Moves to `offset` from the file's start. lseek(2).
  package func seek(to offset: Int64) throws(FileError) {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw error("read", errno) }
  }

  /// Writes all of `bytes`. write(2).
  package func write(_ bytes: [UInt8]) throws(FileError) {
    let descriptor = descriptor
    // Sound: the buffer stays in the closure.
    let failure = unsafe bytes.withUnsafeBytes { buffer -> CInt in
      var done = 0
      while done < buffer.count {
        // Sound: the slice lies inside the buffer, which outlives the call.
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
        // Sound: as above.
        let put = unsafe systemWrite(descriptor, rest)
        if put < 0, errno == EINTR { continue }
        if put < 0 { return errno }
        done += put
      }
      return 0
    }
    guard failure == 0 else { throw error("write", failure) }
  }

  /// Waits until the contents are on the device. fsync(2); on Apple's systems F_FULLFSYNC.
  package func synchronize() throws(FileError) {
    #if canImport(Darwin)
      // fsync(2) on these systems stops at the device's cache; not every file system takes this.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    while fsync(descriptor) != 0 {
      let number = errno
      if number == EINTR { continue }
      // A file system that cannot synchronise this kind of file says so with these.
      if number == EINVAL || number == ENOTSUP || number == EROFS { return }
      throw error("write", number)
    }
  }

  package enum Lock: Sendable {
    case taken
    /// Another descriptor holds it.
    case held
    /// The file system knows no such locks.
    case unsupported
  }

  /// Takes the advisory lock if nobody holds it; it is released when the file is closed, however
  /// the process ends. flock(2).
  package func tryLock() -> Lock {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return .held
      default: return .unsupported
      }
    }
    return .taken
  }

  private func check(_ operation: String, _ result: CInt) throws(FileError) {
    guard result == 0 else { throw error(operation, errno) }
  }

  private func error(_ operation: String, _ number: CInt) -> FileError {
    FileError(number: number, operation: operation, path: path)
  }
}

// The C functions whose names the methods of `OpenFile` hide.

private func systemOpen(_ name: [CChar], _ flags: CInt, _ mode: mode_t) -> CInt {
  // Sound: `name` is NUL-terminated and outlives the call.
  unsafe open(name, flags, mode)
}

private func systemRead(_ descriptor: CInt, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  // Sound: the caller owns the buffer.
  unsafe read(descriptor, bytes.baseAddress, bytes.count)
}

private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
  // Sound: the caller owns the buffer.
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
