/// What in a file breaks its format, without making it unreadable.
struct MP4Fault: Hashable, Sendable {
  let found: String
  /// A box path with byte offset, a byte, or a sample.
  let location: String
}
