import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A regular file that is read at given positions and never as a whole.
struct FileBytes: ~Copyable {
  /// The file's size when it was opened.
  let count: Int64
  private let descriptor: Int32

  private init(descriptor: Int32, count: Int64) {
    self.descriptor = descriptor
    self.count = count
  }

  deinit { close(descriptor) }

  /// Opens a file for reading.
  ///
  /// - Throws: `Malformed` where it cannot be opened or is no regular file.
  static func open(_ path: FilePath) throws(Malformed) -> FileBytes {
    // A FIFO would block without O_NONBLOCK; it is refused below.
    let descriptor = systemOpen(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Malformed("cannot be opened: \(lastSystemError())") }
    var status = stat()
    // Sound: `status` is a whole `stat` that lives through the call.
    guard unsafe fstat(descriptor, &status) == 0 else {
      close(descriptor)
      throw Malformed("cannot be read: \(lastSystemError())")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw Malformed("is not a regular file")
    }
    return FileBytes(descriptor: descriptor, count: Int64(status.st_size))
  }

  /// Reads exactly `count` bytes from `offset`.
  ///
  /// - Throws: `Malformed` where the file ends before that, or the disk fails.
  func read(at offset: Int64, count: Int) throws(Malformed) -> [UInt8] {
    let (end, overflow) = offset.addingReportingOverflow(Int64(count))
    guard offset >= 0, count >= 0, !overflow, end <= self.count else {
      throw Malformed("ends at byte \(self.count), before byte \(overflow ? .max : end)")
    }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      // Sound: the range lies inside `bytes`, and the pointer does not leave the closure.
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset) + off_t(filled))
      }
      if got < 0 {
        guard errno == EINTR else { throw Malformed("cannot be read: \(lastSystemError())") }
      } else if got == 0 {
        throw Malformed("became shorter while it was read")
      } else {
        filled += got
      }
    }
    return bytes
  }
}

/// `open`, whose name the method above hides.
private func systemOpen(_ path: [CChar], _ flags: Int32) -> Int32 {
  // Sound: `FilePath.cString` ends in NUL.
  unsafe open(path, flags)
}

private func lastSystemError() -> String {
  // Sound: the text is copied at once.
  unsafe String(cString: strerror(errno))
}
