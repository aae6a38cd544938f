/// What a preview shows, and where.
public struct PreviewReport: Hashable, Sendable, Encodable {
  public let type = "preview"
  /// The picture, a PNG.
  public var file: FilePath
  public var size: PixelSize
  /// Where the cover lies; what is left of the screen is black.
  public var cover: PixelRect
  /// nil where the payload has no sticker.
  public var sticker: PixelRect?
  /// What the destination's interface covers: the bands drawn over the picture.
  public var covered: [PixelRect]

  public init(
    file: FilePath, size: PixelSize, cover: PixelRect, sticker: PixelRect?, covered: [PixelRect]
  ) {
    self.file = file
    self.size = size
    self.cover = cover
    self.sticker = sticker
    self.covered = covered
  }
}
