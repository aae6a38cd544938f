package import ReelsModel

/// What decoding the whole finished file found.
package struct DecodedFacts: Hashable, Sendable {
  package var framesDecoded: Int
  /// Of video and sound together.
  package var decodeErrors: Int
  /// As the decoder tagged the frames.
  package var color: ColorDescription
  package var size: PixelSize
  /// Samples of one channel.
  package var audioSamplesDecoded: Int

  package init(
    framesDecoded: Int, decodeErrors: Int, color: ColorDescription, size: PixelSize,
    audioSamplesDecoded: Int
  ) {
    self.framesDecoded = framesDecoded
    self.decodeErrors = decodeErrors
    self.color = color
    self.size = size
    self.audioSamplesDecoded = audioSamplesDecoded
  }
}
