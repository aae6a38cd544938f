internal import ReelsModel

/// A level of ITU-T H.264 table A-1.
struct EncodingLevel: Sendable {
  /// `level_idc`.
  let idc: Int
  let macroblocksPerSecond: Int
  let macroblocksPerFrame: Int
  let dpbMacroblocks: Int
  /// For Baseline and Main, in 1000 bits a second; High has 1.25 times as much.
  let maximumRate: Int

  static let all: [EncodingLevel] = [
    .init(10, 1_485, 99, 396, 64), .init(11, 3_000, 396, 900, 192),
    .init(12, 6_000, 396, 2_376, 384), .init(13, 11_880, 396, 2_376, 768),
    .init(20, 11_880, 396, 2_376, 2_000), .init(21, 19_800, 792, 4_752, 4_000),
    .init(22, 20_250, 1_620, 8_100, 4_000), .init(30, 40_500, 1_620, 8_100, 10_000),
    .init(31, 108_000, 3_600, 18_000, 14_000), .init(32, 216_000, 5_120, 20_480, 20_000),
    .init(40, 245_760, 8_192, 32_768, 20_000), .init(41, 245_760, 8_192, 32_768, 50_000),
    .init(42, 522_240, 8_704, 34_816, 50_000), .init(50, 589_824, 22_080, 110_400, 135_000),
    .init(51, 983_040, 36_864, 184_320, 240_000), .init(52, 2_073_600, 36_864, 184_320, 240_000),
  ]

  private init(_ idc: Int, _ perSecond: Int, _ perFrame: Int, _ dpb: Int, _ rate: Int) {
    self.idc = idc
    macroblocksPerSecond = perSecond
    macroblocksPerFrame = perFrame
    dpbMacroblocks = dpb
    maximumRate = rate
  }

  /// The lowest level that High-profile video of this kind keeps; the highest where none does.
  static func lowest(
    size: PixelSize, frameRate: Ratio, dpbFrames: Int, rate: BitsPerSecond
  ) -> EncodingLevel {
    let (columns, rows) = size.macroblocks
    let macroblocks = columns * rows
    let perSecond = Int((Ratio(Int64(macroblocks)) * frameRate).ceiling)
    let fitting = all.first { level in
      macroblocks <= level.macroblocksPerFrame && perSecond <= level.macroblocksPerSecond
        && macroblocks * dpbFrames <= level.dpbMacroblocks
        // Neither side is longer than √(8 × frame size) macroblocks.
        && columns * columns <= 8 * level.macroblocksPerFrame
        && rows * rows <= 8 * level.macroblocksPerFrame
        && rate.value <= Int64(level.maximumRate) * 1_250
    }
    return fitting ?? all[all.count - 1]
  }
}
