import ReelsModel

/// A level of H.264 and the limits it sets: table A-1.
struct H264Level: Hashable, Sendable {
  /// As in "4.0".
  let name: String
  /// Its `level_idc`.
  let idc: Int
  let macroblocksPerSecond: Int64
  let macroblocksPerFrame: Int
  /// Of all the frames that a decoder has to hold.
  let bufferedMacroblocks: Int
  /// MaxBR and MaxCPB, in 1,000 bits (a second) of the factor below.
  let (rate, buffer): (Int64, Int64)

  /// From the lowest to the highest.
  static let all: [H264Level] = [
    H264Level("1.0", 10, 1_485, 99, 396, 64, 175),
    H264Level("1.1", 11, 3_000, 396, 900, 192, 500),
    H264Level("1.2", 12, 6_000, 396, 2_376, 384, 1_000),
    H264Level("1.3", 13, 11_880, 396, 2_376, 768, 2_000),
    H264Level("2.0", 20, 11_880, 396, 2_376, 2_000, 2_000),
    H264Level("2.1", 21, 19_800, 792, 4_752, 4_000, 4_000),
    H264Level("2.2", 22, 20_250, 1_620, 8_100, 4_000, 4_000),
    H264Level("3.0", 30, 40_500, 1_620, 8_100, 10_000, 10_000),
    H264Level("3.1", 31, 108_000, 3_600, 18_000, 14_000, 14_000),
    H264Level("3.2", 32, 216_000, 5_120, 20_480, 20_000, 20_000),
    H264Level("4.0", 40, 245_760, 8_192, 32_768, 20_000, 25_000),
    H264Level("4.1", 41, 245_760, 8_192, 32_768, 50_000, 62_500),
    H264Level("4.2", 42, 522_240, 8_704, 34_816, 50_000, 62_500),
    H264Level("5.0", 50, 589_824, 22_080, 110_400, 135_000, 135_000),
    H264Level("5.1", 51, 983_040, 36_864, 184_320, 240_000, 240_000),
    H264Level("5.2", 52, 2_073_600, 36_864, 184_320, 240_000, 240_000),
    H264Level("6.0", 60, 4_177_920, 139_264, 696_320, 240_000, 240_000),
    H264Level("6.1", 61, 8_355_840, 139_264, 696_320, 480_000, 480_000),
    H264Level("6.2", 62, 16_711_680, 139_264, 696_320, 800_000, 800_000),
  ]

  /// The level that a parameter set claims; nil where there is none with its number.
  ///
  /// Level 1b has the limits of 1.0 in everything but its bit rate.
  static func claimed(by set: H264SPS) -> H264Level? {
    let isOneB = set.levelIDC == 11 && set.constraintFlags & 0x10 != 0 && set.profileIDC < 100
    let idc = set.levelIDC == 9 || isOneB ? 10 : set.levelIDC
    return all.first { $0.idc == idc }
  }

  /// The lowest level whose limits hold for a stream; nil where none does.
  static func lowest(
    for set: H264SPS, frameRate: Ratio, demand: BitDemand
  ) -> H264Level? {
    all.first { $0.shortfall(for: set, frameRate: frameRate, demand: demand) == nil }
  }

  /// Which limit of this level a stream exceeds; nil where it keeps them all.
  func shortfall(for set: H264SPS, frameRate: Ratio, demand: BitDemand) -> String? {
    let (columns, rows) = (set.widthInMacroblocks, set.heightInMacroblocks)
    let area = columns * rows
    if area > macroblocksPerFrame {
      return "\(area) macroblocks a frame, at most \(macroblocksPerFrame)"
    }
    // A.3.1: no side is longer than the root of eight times the frame.
    let longest = max(columns, rows)
    if longest * longest > 8 * macroblocksPerFrame {
      return "\(longest) macroblocks on a side"
    }
    let rate = Ratio(Int64(area)) * frameRate
    if rate > Ratio(macroblocksPerSecond) {
      return "\(rate.ceiling) macroblocks a second, at most \(macroblocksPerSecond)"
    }
    let frames = min(bufferedMacroblocks / max(area, 1), 16)
    if set.decodedPictureBuffer > frames {
      return "\(set.decodedPictureBuffer) frames to hold, at most \(frames)"
    }
    // `cpbBrNalFactor`, table A-2.
    let factor: Int64 = set.profileIDC == 100 ? 1_500 : set.profileIDC < 100 ? 1_200 : 6_000
    let most = BitsPerSecond(self.rate * factor)
    if demand.mostBuffered(at: most) > Double(buffer * factor) {
      return "more bits than \(most) brings"
    }
    return nil
  }

  private init(
    _ name: String, _ idc: Int, _ second: Int64, _ frame: Int, _ held: Int, _ rate: Int64,
    _ buffer: Int64
  ) {
    self.name = name
    self.idc = idc
    self.macroblocksPerSecond = second
    self.macroblocksPerFrame = frame
    self.bufferedMacroblocks = held
    (self.rate, self.buffer) = (rate, buffer)
  }
}
