internal import CReelsFFmpeg

/// What this build of FFmpeg can do.
package enum Capabilities {
  package static func hasFilter(_ name: String) -> Bool { avfilter_get_by_name(name) != nil }
}
