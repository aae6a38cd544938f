/// Why a document cannot be read, in words that follow the file's name: "is no well-formed XML".
struct DocumentError: Error, Hashable, Sendable {
  var because: String
}
