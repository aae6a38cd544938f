package import Foundation

/// The sound of a file's first audio track, decoded by the ffmpeg command and mixed to one channel.
package struct DecodedAudio: Sendable {
  /// Samples of one decoded frame.
  private struct Block {
    var first: Int
    var time: Double
  }

  /// Hertz.
  package let rate: Int
  /// One after the other, also where the time stamps leave a hole.
  package let samples: [Float]
  private let blocks: [Block]

  package init(_ file: URL, editLists: EditLists = .honoured) throws {
    let output = try Tool.ffmpeg.run(
      ["-hide_banner", "-nostats", "-v", "info"] + editLists.inputArguments(for: file)
        + ["-copyts", "-i", file.path, "-map", "0:a:0", "-af"]
        + ["asettb=1/sr,ashowinfo,aformat=sample_fmts=flt:channel_layouts=mono"]
        + ["-c:a", "pcm_f32le", "-f", "f32le", "pipe:1"])
    var blocks: [Block] = []
    var (rate, count) = (0, 0)
    for line in output.stderr.split(separator: "\n") where line.contains("ashowinfo") {
      guard let samples = line.value(after: " nb_samples:").flatMap({ Int($0) }),
        let hertz = line.value(after: " rate:").flatMap({ Int($0) })
      else { continue }
      rate = hertz
      if let pts = line.value(after: " pts:").flatMap({ Int64($0) }) {
        blocks.append(Block(first: count, time: Double(pts) / Double(hertz)))
      }
      count += samples
    }
    guard output.stdout.count == count * MemoryLayout<Float>.size else {
      throw Tool.Failure(
        description: "\(file.path): \(count) samples shown, \(output.stdout.count) bytes")
    }
    self.rate = rate
    self.blocks = blocks
    samples = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = output.stdout.copyBytes(to: buffer) / MemoryLayout<Float>.size
    }
  }

  /// When the sample is heard, in seconds of the file's own time; nil where no time stamp tells.
  package func time(of sample: Int) -> Double? {
    guard let block = blocks.last(where: { $0.first <= sample }) else { return nil }
    return block.time + Double(sample - block.first) / Double(rate)
  }
}
