public import ReelsModel

/// A finished `<slug>.reel` directory.
public struct Payload: Hashable, Sendable {
  public var path: FilePath
  public var manifest: Manifest
  /// Whether it was there already, and nothing was done.
  public var existed: Bool

  public init(path: FilePath, manifest: Manifest, existed: Bool) {
    self.path = path
    self.manifest = manifest
    self.existed = existed
  }
}
