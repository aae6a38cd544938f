package import ReelsModel

/// What a file was meant to be, beyond what the preset asks of every file.
package struct Expectation: Hashable, Sendable {
  /// The exact number of frames; nil where any will do.
  package var frames: Int?
  /// A cap of its own: the file is smaller than this many bytes.
  package var fileBytesBelow: ByteCount?
  /// How far a frame interval may be from the mean: zero for an encoded video, whose intervals are
  /// exactly equal; 1 ms for a copied one.
  package var intervalTolerance: MediaTime

  package init(
    frames: Int? = nil, fileBytesBelow: ByteCount? = nil, intervalTolerance: MediaTime = .zero
  ) {
    self.frames = frames
    self.fileBytesBelow = fileBytesBelow
    self.intervalTolerance = intervalTolerance
  }
}
