/// What a video will be, foreseen from a draft of it.
public struct Prediction: Hashable, Sendable, Codable {
  /// Of the whole file.
  public var bytes: ByteCount
  /// The mean rate factor of x264.
  public var rateFactor: Double
  /// VMAF v0.6.1 against the scaled source, 0 to 100: from the rate factor alone.
  public var vmaf: Double
  /// Whether the cap takes something from the quality wanted.
  public var capBinds: Bool

  public init(bytes: ByteCount, rateFactor: Double, vmaf: Double, capBinds: Bool) {
    self.bytes = bytes
    self.rateFactor = rateFactor
    self.vmaf = vmaf
    self.capBinds = capBinds
  }
}
