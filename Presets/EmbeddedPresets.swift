/// The built-in presets' JSON, embedded in the binary.
package enum EmbeddedPresets {
  /// The bytes of each preset's file by the preset's name, the default first.
  package static let files: [(name: String, json: [UInt8])] = [
    ("reels", PackageResources.reels_json),
    ("graph-reel", PackageResources.graph_reel_json),
  ]
}
