/// What will be done for a story without a video.
public struct StoryPlan: Hashable, Sendable, Codable {
  /// What the picture is; nil where colours or nothing are behind the sticker.
  public var geometry: Geometry?
  public var steps: [Plan.Step]
  public var warnings: [Warning]

  public init(geometry: Geometry?, steps: [Plan.Step], warnings: [Warning] = []) {
    self.geometry = geometry
    self.steps = steps
    self.warnings = warnings
  }

  /// One fit calculation, upright.
  public struct Geometry: Hashable, Sendable, Codable {
    /// The source's, as it is shown.
    public var source: PixelSize
    public var fit: Fit
    /// The size of the scaled picture, inside or over the canvas.
    public var picture: PixelSize
    /// The size of the result.
    public var canvas: PixelSize

    public init(source: PixelSize, fit: Fit, picture: PixelSize, canvas: PixelSize) {
      self.source = source
      self.fit = fit
      self.picture = picture
      self.canvas = canvas
    }
  }
}
