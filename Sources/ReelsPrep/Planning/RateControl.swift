internal import ReelsModel

/// Chooses VBV parameters that keep a whole file under its cap and every second under the peak.
///
/// An encoder whose buffer of B bits is filled to a share f at its start gives at most
/// rate × t + f × B bits in t seconds, and in any second at most rate + B. Where one range ends with
/// a full buffer and the next begins, a second holds at most rate + (1 + f) × B.
enum RateControl {
  /// Constant rate factor, where the cap does not bind: x264's usual "visually transparent". Whether a
  /// second encode by the platform still shows it has not been measured.
  static let crf = 18.0
  /// x264's `vbv-init`: enough for an IDR frame at the start of a range.
  static let initialFill = 0.6
  private static let preferredBufferSeconds = 1.5
  /// Sound and headers within the peak.
  private static let peakReserve = 400_000.0
  /// With a higher rate, the peak would leave too small a buffer for an IDR frame.
  private static let highestRate = 14_000_000.0
  /// The same for a preset of one's own with a lower peak.
  private static let highestShare = 0.57
  /// Below this no picture is left; the planner refuses such a cap.
  static let lowestRate = 50_000.0

  /// x264 holds about 3.2 bytes for each pixel of each frame that it looks ahead, in each lane. Two
  /// lanes at 1080p are to stay, with everything else, below 600 MB.
  static func lookaheadFrames(size: PixelSize) -> Int {
    max(8, min(40, 9 * 1920 * 1080 / max(1, size.area)))
  }

  /// - Parameters:
  ///   - bits: what the video may take, container and sound apart.
  ///   - seconds: the video's length.
  ///   - ranges: how many encoders share it, one after another.
  ///   - peak: bits in any second.
  static func vbv(
    bits: Double, seconds: Double, ranges: Int, peak: Double
  ) -> (rate: Double, buffer: Double) {
    let peak = peak - peakReserve
    let starts = Double(ranges) * initialFill
    let border = 1 + initialFill
    let rate = bits / (seconds + starts * preferredBufferSeconds)
    if rate * (1 + border * preferredBufferSeconds) <= peak {
      return (rate, rate * preferredBufferSeconds)
    }
    // The peak binds: a smaller buffer allows a higher rate.
    let bySize = (bits - starts * peak / border) / max(0.1, seconds - starts / border)
    let lowest = peak / (1 + border * preferredBufferSeconds)
    let chosen = max(min(bySize, highestRate, peak * highestShare), lowest)
    return (chosen, (peak - chosen) / border)
  }

  /// The bits with which a video has `lowestRate`.
  static func leastBits(seconds: Double, ranges: Int) -> Double {
    lowestRate * (seconds + Double(ranges) * initialFill * preferredBufferSeconds)
  }

  /// Bytes of everything but the video's own: headers, sample tables and sound.
  ///
  /// Each video sample takes up to 20 bytes of tables (stsz 4, ctts 8, its share of stsc and stco),
  /// each sound packet up to 20; AAC keeps its mean rate within 5 %.
  static func overhead(frames: Int, audio: AudioPlan) -> Int64 {
    let packets = audio.samples / 1024 + 2
    let seconds = Double(audio.samples) / Double(max(1, audio.sampleRate))
    let sound = Double(audio.bitRate.value) / 8 * seconds * 1.05
    return 4_096 + Int64(frames) * 20 + packets * 20 + Int64(sound)
  }
}
