internal import CReelsFFmpeg

/// What this build of FFmpeg can do.
package enum Capabilities {
  package static func hasFilter(_ name: String) -> Bool { avfilter_get_by_name(name) != nil }

  package static func hasEncoder(_ name: String) -> Bool {
    avcodec_find_encoder_by_name(name) != nil
  }

  /// As in "5.1.9-0+deb12u1".
  package static var version: String { String(cString: av_version_info()) }
}
