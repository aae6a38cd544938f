private import Foundation

/// How loud a window's sound is (ITU-R BS.1770-4, EBU R 128).
public struct Loudness: Hashable, Sendable, Codable {
  /// LUFS, over the whole window.
  public var integrated: Double
  /// dBTP.
  public var truePeak: Double

  public init(integrated: Double, truePeak: Double) {
    self.integrated = integrated
    self.truePeak = truePeak
  }

  /// dBTP that no result exceeds (EBU R 128 s2: −1 dBTP).
  public static let truePeakLimit = -1.0
  /// Decibels that bring the sound to `target` LUFS, or less where its peaks forbid more.
  public func gain(to target: Double) -> Double {
    min(target - integrated, Self.truePeakLimit - truePeak)
  }

  /// Decibels that bring the peaks below the limit, where they are above it: at most 0.
  public var attenuation: Double { min(0, Self.truePeakLimit - truePeak) }

  public static func decibels(_ amplitude: Double) -> Double { 20 * log10(amplitude) }
}

/// What was done to a window's loudness.
public struct LoudnessChange: Hashable, Sendable, Codable {
  /// Before.
  public var source: Loudness
  /// LUFS that were asked for; nil where only peaks were lowered.
  public var target: Double?
  /// Decibels.
  public var gain: Double

  public init(source: Loudness, target: Double?, gain: Double) {
    self.source = source
    self.target = target
    self.gain = gain
  }

  /// LUFS of the result.
  public var result: Double { source.integrated + gain }
}
