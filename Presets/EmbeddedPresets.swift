/// The built-in presets' JSON, embedded in the binary.
package enum EmbeddedPresets {
  /// The bytes of each preset's file by the preset's name, the default first.
  package static let files: [(name: String, json: [UInt8])] = [
    ("reels", PackageResources.reels_json),
    ("reels-android", PackageResources.reels_android_json),
    ("reels-hevc", PackageResources.reels_hevc_json),
    ("stories", PackageResources.stories_json),
    ("graph-reel", PackageResources.graph_reel_json),
    ("graph-story", PackageResources.graph_story_json),
    ("facebook-reels", PackageResources.facebook_reels_json),
  ]
}
