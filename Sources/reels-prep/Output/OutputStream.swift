internal import ReelsModel
internal import ReelsPrep

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Standard output or standard error.
///
/// A reader that has gone away is no failure: what follows is dropped, and the work goes on. A
/// reader that is slow is waited for, until a signal comes.
struct OutputStream {
  let number: Int32
  private let signals: Signals
  private var isClosed = false
  /// Why something could not be written; a reader that went away does not count.
  private(set) var failure: SystemError?

  /// A pipe with room for one piece of this size (POSIX: `_POSIX_PIPE_BUF`) is ready for writing.
  private static let pieceBytes = 512

  init(_ number: Int32, signals: Signals) {
    self.number = number
    self.signals = signals
  }

  var isTerminal: Bool { isatty(number) == 1 }

  /// The columns of the terminal; 80 where it does not tell.
  var columns: Int {
    var size = winsize()
    // Sound: TIOCGWINSZ fills in one `winsize`.
    guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  mutating func write(_ text: String) { write(Array(text.utf8)) }

  mutating func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty, !isClosed {
      guard waitUntilReady() else {
        isClosed = true
        return
      }
      let piece = Array(rest.prefix(Self.pieceBytes))
      // Sound: no more than the piece's own count is read.
      let count = unsafe systemWrite(number, piece, piece.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      let error = SystemError.current
      if error == .interrupted { continue }
      isClosed = true
      if error != .brokenPipe { failure = error }
    }
  }

  /// - Returns: false where a signal came while the reader took nothing.
  private func waitUntilReady() -> Bool {
    while true {
      var slots = [
        pollfd(fd: number, events: Int16(POLLOUT), revents: 0),
        pollfd(fd: signals.readable, events: Int16(POLLIN), revents: 0),
      ]
      // Sound: the array holds the two slots that are announced.
      guard unsafe poll(&slots, 2, -1) > 0 else { continue }
      if slots[0].revents != 0 { return true }
      if slots[1].revents != 0 { return false }
    }
  }
}

// The methods above shadow the system call of the same name.
private func systemWrite(_ number: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(number, buffer, count)
}
