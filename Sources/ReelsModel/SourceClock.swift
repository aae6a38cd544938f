/// What the time stamps of a file's packets mean.
public struct SourceClock: Hashable, Sendable, Codable {
  public var order: StampOrder
  /// Where the clock begins anew, by stream, in the file's order.
  public var restarts: [Int: [ClockRestart]]

  public init(order: StampOrder = .presentation, restarts: [Int: [ClockRestart]] = [:]) {
    self.order = order
    self.restarts = restarts
  }
}

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

/// Where a stream's time stamps begin anew, as after files were joined: MPEG's transport and program
/// streams are made to be cut and joined anywhere (ISO/IEC 13818-1 §2.4.3.5).
public struct ClockRestart: Hashable, Sendable, Codable {
  /// Bytes from the file's start; packets from there on belong to the new clock.
  public var position: Int64
  /// When its first picture is shown, by the times so put right.
  public var time: MediaTime
  /// What is added to the new times, so that they follow the old ones.
  public var shift: MediaTime

  public init(position: Int64, time: MediaTime, shift: MediaTime) {
    self.position = position
    self.time = time
    self.shift = shift
  }
}
