/// What the time stamps of a track's packets say.
public enum StampOrder: String, Hashable, Sendable, Codable {
  /// When each picture is shown.
  case presentation
  /// When each picture is decoded, in a file that lacks the times of presentation: the first picture
  /// shown has the first of them, and so on.
  case decoding
  /// Nothing: a bare stream, whose pictures follow each other at its stated rate.
  case missing
}
