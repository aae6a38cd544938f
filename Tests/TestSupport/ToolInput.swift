import Foundation

/// The standard input of a running command.
package struct ToolInput: Sendable {
  private let descriptor: Int32

  /// Writes all the bytes, waiting for the command to take them.
  ///
  /// - Throws: `Closed` where the command reads no more, which is no failure of the command.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let chunk = UnsafeRawBufferPointer(rebasing: rest)
      #if canImport(Darwin)
        let written = Darwin.write(descriptor, chunk.baseAddress, chunk.count)
      #else
        let written = Glibc.write(descriptor, chunk.baseAddress, chunk.count)
      #endif
      if written < 0 {
        if errno == EINTR { continue }
        throw Closed()
      }
      rest = rest.dropFirst(written)
    }
  }

  package func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0) }
  }

  package struct Closed: Error {}

  /// Runs `body` in a thread of its own and closes the pipe after it.
  static func feed(_ handle: FileHandle, _ body: @escaping @Sendable (ToolInput) throws -> Void) {
    Thread.detachNewThread {
      // A reader that has gone is an error of `write` here, not the end of the tests. The mask is
      // this thread's own: a command started by another thread does not inherit it.
      var pipe = sigset_t()
      sigemptyset(&pipe)
      sigaddset(&pipe, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &pipe, nil)
      try? body(ToolInput(descriptor: handle.fileDescriptor))
      try? handle.close()
    }
  }
}
