package import ReelsModel

/// What decoding the whole finished file found.
package struct DecodedFacts: Hashable, Sendable {
  package var framesDecoded: Int
  /// Of video and sound together: damaged frames and refused packets.
  package var decodeErrors: Int
  /// When the first frame that is not whole is shown.
  package var faultyFrame: MediaTime?
  /// The first packet of sound that did not decode, counted from 0.
  package var faultyPacket: Int?
  /// As the decoder tagged the frames.
  package var color: ColorDescription
  package var size: PixelSize
  /// Samples of one channel.
  package var audioSamplesDecoded: Int
  /// Hertz, as decoded: twice what the container says where HE-AAC is not signalled. 0 without sound.
  package var soundRate: Int

  package init(
    framesDecoded: Int, decodeErrors: Int, faultyFrame: MediaTime? = nil, faultyPacket: Int? = nil,
    color: ColorDescription, size: PixelSize, audioSamplesDecoded: Int, soundRate: Int = 0
  ) {
    self.framesDecoded = framesDecoded
    self.decodeErrors = decodeErrors
    self.faultyFrame = faultyFrame
    self.faultyPacket = faultyPacket
    self.color = color
    self.size = size
    self.audioSamplesDecoded = audioSamplesDecoded
    self.soundRate = soundRate
  }

  /// Adds what another part of the file holds.
  package mutating func add(_ part: DecodedFacts) {
    framesDecoded += part.framesDecoded
    decodeErrors += part.decodeErrors
    faultyFrame = [faultyFrame, part.faultyFrame].compactMap { $0 }.min()
    faultyPacket = faultyPacket ?? part.faultyPacket
    audioSamplesDecoded += part.audioSamplesDecoded
    soundRate = max(soundRate, part.soundRate)
    if part.framesDecoded > 0 { (color, size) = (part.color, part.size) }
  }
}
