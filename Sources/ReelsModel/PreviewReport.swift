/// What a preview shows, and where.
public struct PreviewReport: Hashable, Sendable, Encodable {
  public let type = "preview"
  /// The picture, a PNG.
  public var file: FilePath
  public var size: PixelSize
  /// Where the cover lies; what is left of the screen is black. nil of a story without a video.
  public var cover: PixelRect?
  /// Where such a story's picture or colours lie; nil where it has none, and the screen is black.
  public var background: PixelRect?
  /// nil where the payload has no sticker.
  public var sticker: PixelRect?
  /// What the destination's interface covers: the bands drawn over the picture.
  public var covered: [PixelRect]

  public init(
    file: FilePath, size: PixelSize, cover: PixelRect?, background: PixelRect? = nil,
    sticker: PixelRect?, covered: [PixelRect]
  ) {
    self.file = file
    self.size = size
    self.cover = cover
    self.background = background
    self.sticker = sticker
    self.covered = covered
  }
}
