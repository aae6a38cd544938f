import ReelsModel

/// What a sequence parameter set says of the pictures that follow it, of whichever codec.
protocol VideoSequence: Sendable {
  var location: String { get }
  /// As in libavcodec and in the standard's annex A.
  var profileName: String { get }
  /// As the container's configuration repeats it.
  var profileNumber: Int { get }
  var levelNumber: Int { get }
  /// 1 is 4:2:0.
  var chromaFormat: Int { get }
  var lumaBitDepth: Int { get }
  var chromaBitDepth: Int { get }
  var isFrameOnly: Bool { get }
  /// After cropping.
  var size: PixelSize { get }
  /// Of a pixel, width over height; nil where unspecified.
  var pixelAspect: Ratio? { get }
  var color: ColorDescription { get }

  /// As in "4.0"; nil where there is no level of its number.
  var levelName: String? { get }
  /// Whether phones decode the level: 2160p at 60 frames a second, 5.2, at most.
  var isLevelCommon: Bool { get }
  /// Which limit of its level it exceeds; nil where it keeps them all.
  func levelShortfall(frameRate: Ratio, demand: BitDemand) -> String?
  /// The lowest level that would do; nil where none does.
  func lowestLevelName(frameRate: Ratio, demand: BitDemand) -> String?
  /// The most frames that may be decoded before a frame and shown after it; nil where it is not said.
  var reorderFrames: Int? { get }
}

extension H264SPS: VideoSequence {
  var profileNumber: Int { profileIDC }
  var levelNumber: Int { levelIDC }
  var pixelAspect: Ratio? { vui?.pixelAspect }
  var color: ColorDescription { vui?.color ?? ColorDescription() }
  var levelName: String? { H264Level.claimed(by: self)?.name }
  var isLevelCommon: Bool { H264Level.claimed(by: self).map { $0.idc <= 52 } ?? false }

  var reorderFrames: Int? { vui?.reorderFrames }

  func levelShortfall(frameRate: Ratio, demand: BitDemand) -> String? {
    H264Level.claimed(by: self)?.shortfall(for: self, frameRate: frameRate, demand: demand)
  }

  func lowestLevelName(frameRate: Ratio, demand: BitDemand) -> String? {
    H264Level.lowest(for: self, frameRate: frameRate, demand: demand)?.name
  }
}
