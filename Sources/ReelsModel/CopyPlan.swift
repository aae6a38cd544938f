/// How a source's video is copied, packet by packet, instead of encoded.
public struct VideoCopy: Hashable, Sendable, Codable {
  /// How many frames decoding runs ahead of presentation.
  public var delay: Int
  /// Of all its packets.
  public var bytes: Int64
  /// Where the window's GOPs begin, in order; the first is the window's start.
  public var keys: [EntryPoint]
  /// Whether colour tags are written into the parameter sets: the source has none.
  public var addsColorTags: Bool

  public init(delay: Int, bytes: Int64, keys: [EntryPoint], addsColorTags: Bool) {
    self.delay = delay
    self.bytes = bytes
    self.keys = keys
    self.addsColorTags = addsColorTags
  }
}

/// How a source's sound is copied.
public struct AudioCopy: Hashable, Sendable, Codable {
  /// The time of the first packet that is kept, in the file's own time: within 1 ms of the picture's.
  public var start: MediaTime
  /// The AudioSpecificConfig of packets that carry it in headers of their own, as in transport streams: the
  /// headers are left out. nil where packets are bare.
  public var transportConfiguration: [UInt8]?

  public init(start: MediaTime, transportConfiguration: [UInt8]? = nil) {
    self.start = start
    self.transportConfiguration = transportConfiguration
  }
}
