package import Foundation

/// A file that keeps every rule of a Reel, made by the ffmpeg command; tests break one rule at a
/// time by changing one group of its arguments.
///
/// It lasts 3.2 s, where 96 frames at 30 a second and 150 AAC packets at 48 kHz end together.
package struct PlainReel: Sendable {
  /// libavfilter's source of the picture.
  package var picture = "testsrc2=size=180x320:rate=30:duration=3.2"
  /// libavfilter's source of the sound.
  package var sound: String? = "sine=sample_rate=48000:duration=3.2"
  package var videoFilter = "setsar=1,format=yuv420p"
  package var videoCodec = [
    "-c:v", "libx264", "-preset", "superfast", "-profile:v", "high", "-bf", "2", "-g", "60",
    "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
    "bt709",
  ]
  package var audioCodec = ["-c:a", "aac", "-b:a", "128k", "-ac", "2"]
  /// Drops the packet that primes an AAC decoder, so that sound starts at 0 without an edit list.
  package var audioPackets = ["-bsf:a", "noise=amount=0:drop=eq(n\\,0)"]
  package var container = [
    "-f", "mp4", "-use_editlist", "0", "-movflags", "+faststart+negative_cts_offsets",
  ]
  /// Output options that follow all others.
  package var extra: [String] = []

  package init() {}

  package func write(to file: URL) throws {
    var arguments = ["-v", "error", "-y", "-f", "lavfi", "-i", picture]
    if let sound { arguments += ["-f", "lavfi", "-i", sound] }
    arguments += ["-vf", videoFilter] + videoCodec
    if sound != nil { arguments += audioCodec + audioPackets }
    arguments += ["-threads", "2"] + container + extra + [file.path]
    try Tool.ffmpeg.run(arguments)
  }
}
