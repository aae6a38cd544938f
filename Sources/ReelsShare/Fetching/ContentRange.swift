/// The bytes that an answer holds, as in "bytes 0-99/1234". RFC 9110, 14.4.
struct ContentRange: Hashable, Sendable {
  var first: Int64
  /// The last byte itself, never before the first.
  var last: Int64
  /// Of the whole file; nil where it is "*".
  var total: Int64?

  /// nil for a text that is none.
  init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
    let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count == 2, ends.count == 2, let first = Self.number(ends[0]),
      let last = Self.number(ends[1]), first <= last, last < .max
    else { return nil }
    if halves[1] != "*" {
      guard let total = Self.number(halves[1]), last < total else { return nil }
      self.total = total
    }
    self.first = first
    self.last = last
  }

  private static func number(_ text: Substring) -> Int64? {
    text.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
      ? Int64(text) : nil
  }
}
