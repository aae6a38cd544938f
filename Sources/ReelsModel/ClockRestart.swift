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
