import Foundation
import ReelsModel
import TestSupport

@testable import ReelsPipeline

/// A transcode of a numbered clip: 64x32 at 25, kept as it is.
struct Job {
  var input: FilePath
  var output: FilePath
  var frames = 75
  var sourceFrames = 75
  var short = ShortPolicy.hold
  var start = MediaTime.zero
  var entry = MediaTime.zero
  var cover = CoverChoice.auto
  var effort = Effort.fast
  var recipe = "null"
  var audioStreams = [1]
  var threads = 1
  /// The first frames of the ranges; each is decoded from a second before it on.
  var ranges = [0]
  var guidance = Transcode.Guidance.none

  func transcode(progress: @escaping @Sendable (Int) -> Void = { _ in }) -> Transcode {
    let size = PixelSize(width: 64, height: 32)
    let rate = Ratio(25)
    let recipe = recipe
    var transcode = Transcode(
      input: input, output: output,
      video: VideoPlan(
        stream: 0, origin: .zero, start: start,
        last: start + MediaTime(seconds: Ratio(Int64(sourceFrames - 1)) / rate), frameRate: rate,
        frames: frames, sourceFrames: sourceFrames, short: short,
        geometry: .init(
          orientation: .upright, fit: .keep, picture: size, canvas: size, padColor: .black),
        color: .init(source: .bt709, toneMap: .none, peakLuminance: 100), deinterlace: false,
        ranges: encodeRanges,
        encoding: VideoEncoding(
          effort: effort, crf: 20, maximumRate: BitsPerSecond(4_000_000), bufferBits: 4_000_000,
          initialFill: 0.9, gopFrames: 50, level: 30, lookaheadFrames: 20)),
      audio: AudioPlan(
        streams: audioStreams, sampleRate: 48_000, channels: 1, bitRate: BitsPerSecond(96_000),
        samples: Int64(frames) * 1_920),
      cover: cover, threads: threads, recipe: { _ in PictureRecipe(recipe) }, progress: progress)
    transcode.guidance = guidance
    return transcode
  }

  private var encodeRanges: [VideoPlan.EncodeRange] {
    zip(ranges, ranges.dropFirst() + [frames]).map { first, end in
      // Key frames are a second apart, and decoded some frames before they are shown.
      let second = min(Int64(first), Int64(sourceFrames - 1)) / 25
      let key = first == 0 || short == .loop ? entry : MediaTime(seconds: second)
      return VideoPlan.EncodeRange(
        first: first, count: end - first,
        entry: EntryPoint(pts: key, dts: key - MediaTime(seconds: Ratio(1, 5))))
    }
  }
}
