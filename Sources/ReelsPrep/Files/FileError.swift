package import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A call of the file system that failed.
package struct FileError: Error, Hashable, Sendable {
  /// The C library's `errno`.
  package var number: CInt
  /// A verb, as in "create" or "read".
  package var operation: String
  package var path: FilePath

  package init(number: CInt, operation: String, path: FilePath) {
    self.number = number
    self.operation = operation
    self.path = path
  }

  package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }
}

extension FileError {
  /// The error for the user.
  ///
  /// - Parameters:
  ///   - blame: `.input` for a file that the user named, `.output` for one that the tool writes.
  ///   - needed: What still has to be written, for the sentence about a full disk.
  package func prepError(blame: Event.Blame, needed: ByteCount? = nil) -> PrepError {
    if isDiskFull {
      return DiskSpace.full(at: path, needed: needed, isQuota: number == EDQUOT)
    }
    return PrepError(
      code: code(blame: blame),
      sentence: "cannot \(operation) \(path): \(fact)\(wayOut(blame: blame))", blame: blame)
  }

  private func code(blame: Event.Blame) -> PrepError.Code {
    guard blame == .input else { return .output }
    switch number {
    case ENOENT: return .notFound
    case EISDIR, ENOTDIR: return .notAFile
    case EFBIG: return .tooLarge
    default: return .notReadable
    }
  }

  private var fact: String {
    switch number {
    case ENOENT: "there is no such file or folder"
    case EACCES, EPERM: "no permission"
    case EROFS: "its file system is read-only"
    case ENOTDIR: "a part of the path is not a folder"
    case EISDIR: "it is a folder"
    case EEXIST, ENOTEMPTY: "something of that name is in the way"
    case ENAMETOOLONG: "the name is too long for its file system"
    case ELOOP: "the path leads through too many symbolic links, or ends in one"
    case EFBIG: "it is larger than allowed"
    case EIO: "the device reports an input/output error"
    case EMFILE, ENFILE: "too many files are open"
    default: Self.text(of: number)
    }
  }

  private func wayOut(blame: Event.Blame) -> String {
    guard blame == .output else { return "" }
    switch number {
    case EACCES, EPERM, EROFS, ENOTDIR, ENOENT, ENAMETOOLONG, EIO:
      return "; choose another output folder with -o"
    case EEXIST, ENOTEMPTY: return "; move it away, or choose another output folder with -o"
    default: return ""
    }
  }

  private static func text(of number: CInt) -> String {
    // Sound: strerror returns a NUL-terminated text that lives at least until the next call on
    // this thread, and it is copied here at once.
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    // Sound: as above.
    return unsafe String(cString: text)
  }
}
