/// What in a file contradicts its format, in words that follow the file's name.
struct Malformed: Error, Hashable, Sendable {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}
