#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A failed system call that is about no file, as its `errno`.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The error of the system call that has just failed on this thread.
  package static var current: SystemError { SystemError(code: errno) }

  package static let interrupted = SystemError(code: EINTR)
  package static let brokenPipe = SystemError(code: EPIPE)

  /// A part of a sentence, in lower case: "no permission".
  package var description: String {
    switch code {
    case ENOENT: "no such file"
    case EACCES, EPERM: "no permission"
    case EMFILE, ENFILE: "too many files are open"
    case EIO: "an input/output error"
    case ENOSPC, EDQUOT: "no space left on the disk"
    case ENOMEM: "out of memory"
    case EAGAIN: "the system allows no more processes"
    default: "system error \(code)"
    }
  }
}
