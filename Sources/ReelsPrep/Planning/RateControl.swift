internal import ReelsModel

/// Chooses VBV parameters that keep every second under the peak.
///
/// An encoder whose buffer of B bits is filled to a share f at its start gives at most rate + B bits
/// in any second. Where one range ends with a full buffer and the next begins, a second holds at most
/// rate + (1 + f) × B. How much the whole takes is `BitBudget`'s.
enum RateControl {
  /// Constant rate factor, where the cap does not bind: the coarsest that costs a second encode, as the
  /// platform makes one, no more than half a point of VMAF.
  ///
  /// Measured on two clips of 8 s at 1080x1920 (film and hands; streets with cuts), by balanced's
  /// settings, then by x264 `veryfast` at 3.5 Mbit/s; VMAF against the source, and what the second encode
  /// gives straight from the source:
  ///
  /// | rate factor | straight | 14 | 16 | 18 | 20 | 22 | 24 | 26 |
  /// |---|---|---|---|---|---|---|---|---|
  /// | hands, VMAF | 94.66 | 94.38 | 94.22 | 94.12 | 93.91 | 93.69 | 93.43 | 92.56 |
  /// | streets, VMAF | 90.24 | 90.16 | 90.01 | 89.81 | 89.76 | 89.39 | 88.71 | 87.87 |
  /// | first encode, Mbit/s | | 11–16 | 9–12 | 7–9 | 6–7 | 5 | 4 | 3 |
  static let crf = 18.0
  /// x264's `vbv-init`: enough for an IDR frame at the start of a range.
  static let initialFill = 0.6
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
    max(8, min(28, 14 * 1920 * 1080 / max(1, size.area)))
  }

  /// - Parameter peak: bits in any second.
  static func vbv(size: PixelSize, peak: Double) -> (rate: Double, buffer: Double) {
    let peak = peak - peakReserve
    let area = Double(size.area) / (1280 * 720)
    let rate = min(highestRate, peak * highestShare) * min(1, max(0.1, area))
    // A small picture needs no more than two seconds of it.
    return (rate, min((peak - rate) / (1 + initialFill), 2 * rate))
  }

  /// Bytes of everything but the picture's own: headers, sample tables and sound.
  static func overhead(frames: Int, rate: Ratio, audio: AudioPlan) -> Int64 {
    let packets = Int(audio.samples / 1_024 + 1)
    let container = ContainerSize(
      frames: frames, frameRate: rate, audioPackets: packets, sampleRate: audio.sampleRate
    ).bytes
    let seconds = Double(audio.samples) / Double(max(1, audio.sampleRate))
    return Int64(container) + Int64(Double(audio.bitRate.value) / 8 * seconds)
  }
}
