internal import ReelsModel

/// A command line that makes no sense, in one sentence.
struct UsageError: Error, Hashable, Sendable {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence.singleLine }
}
