#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// An end of a pipe, closed when its owner goes. Children never inherit it.
package struct Descriptor: ~Copyable, Sendable {
  package let number: Int32

  /// Takes over `number`, which nobody else may close.
  package init(adopting number: Int32) { self.number = number }

  deinit { _ = close(number) }

  /// A pipe whose both ends are above the standard streams and closed on exec.
  ///
  /// A process started between the creation and the marking would inherit the ends, so callers
  /// that start processes hold `ChildProcess.starting` around both.
  package static func pipe() throws(SystemError) -> PipeEnds {
    var ends: [Int32] = [-1, -1]
    // Sound: `pipe` writes exactly the two numbers that the array holds.
    guard unsafe systemPipe(&ends) == 0 else { throw .current }
    let read = Descriptor(adopting: ends[0])
    let write = Descriptor(adopting: ends[1])
    return PipeEnds(read: try read.raised(), write: try write.raised())
  }

  /// The same file above the standard streams, closed on exec.
  private consuming func raised() throws(SystemError) -> Descriptor {
    if number > 2 {
      guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0 else { throw .current }
      return self
    }
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .current }
    return Descriptor(adopting: copy)
  }

  /// Reads once, waiting where the file makes it wait.
  ///
  /// - Returns: at most `limit` bytes; none at the end of the file.
  package func read(upTo limit: Int) throws(SystemError) -> [UInt8] {
    while true {
      var count = 0
      // Sound: the closure counts as filled exactly the bytes that `read` has written.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
        // Sound: `read` writes at most the buffer's own count.
        count = unsafe systemRead(number, buffer.baseAddress, buffer.count)
        filled = max(count, 0)
      }
      if count >= 0 { return bytes }
      let error = SystemError.current
      guard error == .interrupted else { throw error }
    }
  }

  /// Writes everything, waiting where the reader makes it wait.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Sound: `write` reads at most the slice's own count.
      let count = unsafe rest.withUnsafeBytes {
        unsafe systemWrite(number, $0.baseAddress, $0.count)
      }
      if count < 0 {
        let error = SystemError.current
        guard error == .interrupted else { throw error }
      } else {
        rest = rest.dropFirst(count)
      }
    }
  }
}

/// Both ends of a pipe.
package struct PipeEnds: ~Copyable, Sendable {
  package let read: Descriptor
  package let write: Descriptor

  /// Closes the other end.
  package consuming func takeRead() -> Descriptor { read }

  /// Closes the other end.
  package consuming func takeWrite() -> Descriptor { write }
}

// The methods above shadow the system calls of the same names.
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(number, buffer, count)
}
private func systemWrite(_ number: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(number, buffer, count)
}
