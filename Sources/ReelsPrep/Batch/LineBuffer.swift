/// Cuts a stream of bytes into lines.
struct LineBuffer {
  /// A longer line is cut into pieces, so that a program run wild cannot fill the memory.
  let limit: Int
  private var pending: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Adds bytes, and calls `line` with each line that they complete, without its newline.
  mutating func add(_ bytes: [UInt8], line: ([UInt8]) -> Void) {
    for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { flush(line) }
      pending += part.element
      if pending.count >= limit { flush(line) }
    }
  }

  /// The last line, where no newline ended it.
  mutating func finish(line: ([UInt8]) -> Void) { flush(line) }

  private mutating func flush(_ line: ([UInt8]) -> Void) {
    if !pending.isEmpty { line(pending) }
    pending.removeAll(keepingCapacity: true)
  }
}
