internal import ReelsModel

/// Chooses VBV parameters that keep a whole file under its cap and every second under the peak.
///
/// A VBV stream of T seconds holds at most rate × T + 0.9 × buffer bits, any second of it at most
/// rate + 0.9 × buffer.
enum RateControl {
  /// The measured point where a second encode by the platform shows no loss (constant rate factor).
  static let crf = 18.0
  /// x264's initial buffer fill, `vbv-init`.
  private static let initialFill = 0.9
  private static let preferredBufferSeconds = 2.0
  /// Sound and headers within the peak.
  private static let peakReserve = 400_000.0
  private static let highestRate = 20_000_000.0
  /// Below this no picture is left; the planner refuses such a cap.
  static let lowestRate = 50_000.0

  /// - Parameters:
  ///   - bits: what the video may take, container and sound apart.
  ///   - seconds: the video's length.
  ///   - peak: bits in any second.
  static func vbv(bits: Double, seconds: Double, peak: Double) -> (rate: Double, buffer: Double) {
    let peak = peak - peakReserve
    let drain = initialFill * preferredBufferSeconds
    let rate = bits / (seconds + drain)
    if rate * (1 + drain) <= peak { return (rate, rate * preferredBufferSeconds) }
    // The peak binds: a smaller buffer allows a higher rate.
    let bySize = seconds > 1 ? (bits - peak) / (seconds - 1) : peak
    let chosen = max(min(bySize, highestRate, peak * 0.8), peak / (1 + drain))
    return (chosen, (peak - chosen) / initialFill)
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
