import Foundation

/// The sound of an event: 2 ms in which the pitch rises from 1.5 to 6 kHz.
///
/// It is at its event where its first sample is. A rising pitch has one position at which it matches
/// itself, so a codec that smears it does not move it.
enum Click {
  static let seconds = 0.002

  /// Samples between -1 and 1.
  static func samples(rate: Int) -> [Float] {
    let count = Int(seconds * Double(rate))
    return (0..<count).map { index in
      let time = Double(index) / Double(rate)
      let phase = 1500 * time + (6000 - 1500) / (2 * seconds) * time * time
      let window = 0.5 - 0.5 * cos(2 * .pi * time / seconds)
      return Float(0.9 * window * sin(2 * .pi * phase))
    }
  }

  /// The indices at which clicks begin in `sound`.
  static func onsets(in sound: [Float], rate: Int) -> [Int] {
    let click = samples(rate: rate)
    let separation = rate / 20
    return sound.withUnsafeBufferPointer { sound in
      var peak: Float = 0
      for sample in sound where abs(sample) > peak { peak = abs(sample) }
      guard peak > 0.01 else { return [] }
      var onsets: [Int] = []
      var index = 0
      while index < sound.count {
        if abs(sound[index]) > 0.3 * peak {
          let near = max(0, index - 2 * click.count)..<min(sound.count, index + click.count)
          onsets.append(best(near, for: click, in: sound))
          index += separation
        } else {
          index += 1
        }
      }
      return onsets
    }
  }

  /// The start in `range` at which `click` matches best, in either polarity.
  private static func best(
    _ range: Range<Int>, for click: [Float], in sound: UnsafeBufferPointer<Float>
  ) -> Int {
    var best = (start: range.lowerBound, match: Float(-1))
    for start in range {
      var match: Float = 0
      for offset in 0..<min(click.count, sound.count - start) {
        match += click[offset] * sound[start + offset]
      }
      if abs(match) > best.match { best = (start, abs(match)) }
    }
    return best.start
  }
}
