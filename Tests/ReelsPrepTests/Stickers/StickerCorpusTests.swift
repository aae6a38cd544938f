import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

@Suite(
  .enabled(if: Corpus.directory != nil, "needs the collection of real files"),
  .enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to decode"))
struct StickerCorpusTests {
  /// Those that cannot become a sticker, and a word of the sentence.
  private static let refused = [
    "sticker-apng-16bit-rgba.png": "animated", "sticker-jpeg-truncated.jpg": "cut short",
    "sticker-png-broken-idat.png": "damaged", "sticker-png-broken.png": "cut short",
    "sticker-heic-iphone-disguised.png": "HEIC",
    // Shortened by whoever collected them: the picture itself ends early.
    "pixel-motion-photo-jpeg-with-trailing-mp4.jpg": "damaged",
    "samsung-motion-photo-jpeg.jpg": "damaged",
  ]

  /// Mean red, green and blue by Pillow and its own Little CMS, scaled by Lanczos.
  private static let means: [String: [Double]] = [
    "sticker-jpeg-cmyk-multi-icc.jpg": [197.8, 204.9, 207.9],
    "sticker-jpeg-cmyk-reftest.jpg": [127.5, 127.5, 43.8],
    "sticker-jpeg-cmyk-large.jpg": [0.0, 255.0, 1.0],
    "sticker-jpeg-exif-orientation-3-landscape.jpg": [97.2, 95.0, 82.9],
    "sticker-jpeg-exif-orientation-5-portrait.jpg": [115.0, 117.6, 96.2],
    "sticker-jpeg-exif-orientation-6-landscape.jpg": [97.3, 95.0, 82.9],
    "sticker-jpeg-exif-orientation-8-landscape.jpg": [97.4, 95.1, 83.0],
    "sticker-jpeg-gray.jpg": [84.7, 84.7, 84.7],
    "sticker-png-invalid-iccp.png": [208.0, 230.5, 207.7],
    "sticker-png-palette-4bit-256.png": [254.8, 100.3, 216.2],
  ]

  @Test(arguments: Corpus.files(in: "sticker"))
  func `a real sticker is prepared, or refused in one sentence`(file: Corpus.File) throws {
    let bytes = [UInt8](try Data(contentsOf: file.url))
    let name = file.url.lastPathComponent
    if let word = Self.refused[name] {
      let sentence = try StickerTrial.refusal(bytes, named: name)?.sentence
      #expect(sentence?.contains(word) == true, "\(sentence ?? "no refusal")")
      return
    }
    let trial = try StickerTrial.make(bytes, named: name)
    #expect(trial.size.width <= 640 && trial.size.height <= 480)
    #expect(trial.pixels.count == trial.size.area * 4)
    if let means = Self.means[name] {
      for (channel, mean) in means.enumerated() {
        let sum = stride(from: channel, to: trial.pixels.count, by: 4)
          .reduce(0) { $0 + Int(trial.pixels[$1]) }
        #expect(abs(Double(sum) / Double(trial.size.area) - mean) <= 1, "channel \(channel)")
      }
    }
  }
}
