/// A part of a track's edit list: which of its sound is heard when (ISO/IEC 14496-12, 8.6.6).
public struct AudioEdit: Hashable, Sendable, Codable {
  /// When it is heard, in the file's own time.
  public var start: MediaTime
  public var duration: MediaTime
  /// Where the media stands that is heard then, in the track's time before any edit.
  public var media: MediaTime

  public init(start: MediaTime, duration: MediaTime, media: MediaTime) {
    self.start = start
    self.duration = duration
    self.media = media
  }

  public var end: MediaTime { start + duration }
  /// From the track's time to the file's.
  public var shift: MediaTime { start - media }
}
