internal import ReelsModel

/// What a worker is asked to do: one JSON object on one line of its standard input.
struct WorkerJob: Hashable, Sendable, Codable {
  enum Kind: String, Hashable, Sendable, Codable {
    /// Make the payload.
    case prepare
    /// Only decide what would be done.
    case plan
    /// Say what the file is, and what would be done.
    case inspect
    /// Find the parts that the file is to be split into.
    case parts
  }

  var kind: Kind
  var request: Request
  /// Whether libav's log goes to the worker's standard error.
  var isVerbose: Bool
}
