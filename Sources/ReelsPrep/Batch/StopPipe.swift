#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A request to stop that a thread waiting in `poll` notices. It may be made by any thread.
package final class StopPipe: Sendable {
  private let ends: PipeEnds

  package init() throws(SystemError) { ends = try Descriptor.pipe() }

  /// Readable from the first request on.
  package var readable: Int32 { ends.read.number }

  /// - Parameter reason: a number for `takeReason`.
  package func request(reason: UInt8 = 0) {
    // A few bytes fit into an empty pipe.
    try? ends.write.write([reason])
  }

  /// The reason of the first request, once; nil where none was made.
  package func takeReason() -> UInt8? {
    var slot = pollfd(fd: readable, events: Int16(POLLIN), revents: 0)
    // Sound: there is one slot, and one is announced.
    guard unsafe poll(&slot, 1, 0) == 1 else { return nil }
    return try? ends.read.read(upTo: 1).first
  }
}
