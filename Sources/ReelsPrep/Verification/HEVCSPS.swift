import ReelsModel

/// A sequence parameter set: H.265, 7.3.2.2 and, for colours and pixels, E.2.1.
struct HEVCSPS: VideoSequence {
  let location: String
  let profileNumber: Int
  let levelNumber: Int
  let isHighTier: Bool
  let chromaFormat: Int
  let lumaBitDepth: Int
  let chromaBitDepth: Int
  let isFrameOnly: Bool
  /// Before cropping.
  let codedSize: PixelSize
  let size: PixelSize
  /// Pictures that a decoder has to hold (`sps_max_dec_pic_buffering`).
  let bufferedPictures: Int
  /// `sps_max_num_reorder_pics`.
  let reorderedPictures: Int
  private(set) var pixelAspect: Ratio?
  private(set) var color = ColorDescription()

  /// Pictures larger than this on a side are refused; level 6.2 ends at 16,888.
  private static let maximumSide = 1 << 16
  /// 7.4.3.2.1: at most 64 sets.
  private static let maximumSets = 64

  /// Reads a NAL unit, its header of two bytes included.
  init(unit: ArraySlice<UInt8>, location: String) throws(Malformed) {
    guard let header = unit.first, HEVCUnit.type(header) == HEVCUnit.sequenceSet, unit.count > 2
    else { throw Malformed("\(location) holds a sequence parameter set that is none") }
    var bits = BitReader(nalPayload: unit.dropFirst(2), place: "the SPS in \(location)")
    self.location = location
    _ = try bits.bits(4)
    let subLayers = try bits.bits(3)
    _ = try bits.flag()
    let tier = try bits.readProfile(subLayers: subLayers)
    (profileNumber, levelNumber, isHighTier) = (tier.profile, tier.level, tier.isHigh)
    _ = try bits.ue()
    chromaFormat = try bits.ue()
    if chromaFormat == 3 { _ = try bits.flag() }
    let (width, height) = (try bits.ue(), try bits.ue())
    guard width > 0, height > 0, width <= Self.maximumSide, height <= Self.maximumSide else {
      throw Malformed("\(location) holds a picture of \(width)x\(height)")
    }
    codedSize = PixelSize(width: width, height: height)
    var size = codedSize
    if try bits.flag() {
      // 6.2: in units of a chroma sample.
      let unitX = chromaFormat == 1 || chromaFormat == 2 ? 2 : 1
      let unitY = chromaFormat == 1 ? 2 : 1
      size.width -= (try bits.ue() + (try bits.ue())) * unitX
      size.height -= (try bits.ue() + (try bits.ue())) * unitY
    }
    guard size.width > 0, size.height > 0 else {
      throw Malformed("\(location) holds an SPS that crops the whole picture")
    }
    self.size = size
    lumaBitDepth = try bits.ue() + 8
    chromaBitDepth = try bits.ue() + 8
    let orderBits = try bits.ue() + 4
    let hasAll = try bits.flag()
    var (buffered, reordered) = (0, 0)
    for _ in (hasAll ? 0 : subLayers)...subLayers {
      buffered = max(buffered, try bits.ue() + 1)
      reordered = max(reordered, try bits.ue())
      _ = try bits.ue()
    }
    (bufferedPictures, reorderedPictures) = (buffered, reordered)
    try bits.skipCoding(orderBits: orderBits, maximumSets: Self.maximumSets)
    var hasFields = tier.isInterlaced
    if try bits.flag() {
      let signal = try bits.readSignal()
      (pixelAspect, color) = (signal.aspect, signal.color)
      hasFields = hasFields || signal.hasFields
    }
    isFrameOnly = !hasFields
  }

  var profileName: String {
    switch profileNumber {
    case 1: "Main"
    case 2: "Main 10"
    case 3: "Main Still Picture"
    case 4: "Rext"
    default: "profile \(profileNumber)"
    }
  }

  // MARK: Level

  var levelName: String? { HEVCLevel.claimed(by: self)?.name }
  var isLevelCommon: Bool { levelNumber <= 156 }

  var reorderFrames: Int? { reorderedPictures }

  func levelShortfall(frameRate: Ratio, demand: BitDemand) -> String? {
    HEVCLevel.claimed(by: self)?.shortfall(for: self, frameRate: frameRate, demand: demand)
  }

  func lowestLevelName(frameRate: Ratio, demand: BitDemand) -> String? {
    HEVCLevel.all.first {
      $0.shortfall(for: self, frameRate: frameRate, demand: demand) == nil
    }?.name
  }
}

/// A level of HEVC and the limits it sets: H.265, tables A.8 and A.9.
struct HEVCLevel: Hashable, Sendable {
  let name: String
  /// Its `general_level_idc`: thirty times the number.
  let number: Int
  let samplesPerPicture: Int64
  let samplesPerSecond: Int64
  /// MaxBR, which is MaxCPB too, of both tiers: in 1,100 bits (a second).
  let (mainRate, highRate): (Int64, Int64)

  private init(
    _ name: String, _ number: Int, _ picture: Int64, _ second: Int64, _ main: Int64, _ high: Int64
  ) {
    (self.name, self.number) = (name, number)
    (samplesPerPicture, samplesPerSecond) = (picture, second)
    (mainRate, highRate) = (main, high)
  }

  static let all: [HEVCLevel] = [
    HEVCLevel("1.0", 30, 36_864, 552_960, 128, 128),
    HEVCLevel("2.0", 60, 122_880, 3_686_400, 1_500, 1_500),
    HEVCLevel("2.1", 63, 245_760, 7_372_800, 3_000, 3_000),
    HEVCLevel("3.0", 90, 552_960, 16_588_800, 6_000, 6_000),
    HEVCLevel("3.1", 93, 983_040, 33_177_600, 10_000, 10_000),
    HEVCLevel("4.0", 120, 2_228_224, 66_846_720, 12_000, 30_000),
    HEVCLevel("4.1", 123, 2_228_224, 133_693_440, 20_000, 50_000),
    HEVCLevel("5.0", 150, 8_912_896, 267_386_880, 25_000, 100_000),
    HEVCLevel("5.1", 153, 8_912_896, 534_773_760, 40_000, 160_000),
    HEVCLevel("5.2", 156, 8_912_896, 1_069_547_520, 60_000, 240_000),
    HEVCLevel("6.0", 180, 35_651_584, 1_069_547_520, 60_000, 240_000),
    HEVCLevel("6.1", 183, 35_651_584, 2_139_095_040, 120_000, 480_000),
    HEVCLevel("6.2", 186, 35_651_584, 4_278_190_080, 240_000, 800_000),
  ]

  static func claimed(by set: HEVCSPS) -> HEVCLevel? {
    all.first { $0.number == set.levelNumber }
  }

  /// Which limit of this level a stream exceeds; nil where it keeps them all.
  func shortfall(for set: HEVCSPS, frameRate: Ratio, demand: BitDemand) -> String? {
    let area = Int64(set.codedSize.width) * Int64(set.codedSize.height)
    if area > samplesPerPicture { return "\(area) samples a picture, at most \(samplesPerPicture)" }
    // A.4.1: no side is longer than the root of eight times the picture.
    let longest = Int64(max(set.codedSize.width, set.codedSize.height))
    if longest * longest > 8 * samplesPerPicture { return "\(longest) samples on a side" }
    let rate = Ratio(area) * frameRate
    if rate > Ratio(samplesPerSecond) {
      return "\(rate.ceiling) samples a second, at most \(samplesPerSecond)"
    }
    // A.4.2, with six pictures at the level's own size.
    let pictures =
      area <= samplesPerPicture / 4
      ? 16 : area <= samplesPerPicture / 2 ? 12 : area <= samplesPerPicture * 3 / 4 ? 8 : 6
    if set.bufferedPictures > pictures {
      return "\(set.bufferedPictures) pictures to hold, at most \(pictures)"
    }
    // The buffer holds a second of it: table A.8, `CpbNalFactor`.
    let most = BitsPerSecond((set.isHighTier ? highRate : mainRate) * 1_100)
    if demand.mostBuffered(at: most) > Double(most.value) {
      return "more bits than \(most) brings"
    }
    return nil
  }
}

extension BitReader {
  /// `profile_tier_level`, 7.3.3.
  fileprivate mutating func readProfile(
    subLayers: Int
  ) throws(Malformed) -> (profile: Int, level: Int, isHigh: Bool, isInterlaced: Bool) {
    _ = try bits(2)
    let isHigh = try flag()
    let profile = try bits(5)
    _ = try bits(32)
    let isProgressive = try flag()
    let isInterlaced = try flag()
    _ = try bits(32)
    _ = try bits(14)
    let level = try bits(8)
    var present: [(profile: Bool, level: Bool)] = []
    for _ in 0..<subLayers { present.append((try flag(), try flag())) }
    if subLayers > 0 { _ = try bits(2 * (8 - subLayers)) }
    for layer in present {
      if layer.profile {
        _ = try bits(32)
        _ = try bits(32)
        _ = try bits(24)
      }
      if layer.level { _ = try bits(8) }
    }
    return (profile, level, isHigh, isInterlaced && !isProgressive)
  }

  /// From the sizes of blocks to the flag that tells of a VUI.
  fileprivate mutating func skipCoding(orderBits: Int, maximumSets: Int) throws(Malformed) {
    for _ in 0..<6 { _ = try ue() }
    if try flag(), try flag() { try skipScalingList() }
    _ = try bits(2)
    if try flag() {
      _ = try bits(8)
      _ = try ue()
      _ = try ue()
      _ = try flag()
    }
    let count = try ue()
    guard count <= maximumSets else { throw Malformed("an SPS of \(count) reference picture sets") }
    var deltas: [Int] = []
    for index in 0..<count { deltas.append(try readReferenceSet(index, deltas)) }
    if try flag() {
      for _ in 0..<min(try ue(), 33) {
        _ = try bits(orderBits)
        _ = try flag()
      }
    }
    _ = try bits(2)
  }

  /// 7.3.4.
  private mutating func skipScalingList() throws(Malformed) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
        guard try flag() else {
          _ = try ue()
          continue
        }
        if size > 1 { _ = try se() }
        for _ in 0..<min(64, 1 << (4 + size << 1)) { _ = try se() }
      }
    }
  }

  /// 7.3.7.
  ///
  /// - Returns: how many pictures it names.
  private mutating func readReferenceSet(_ index: Int, _ deltas: [Int]) throws(Malformed) -> Int {
    if index > 0, try flag() {
      _ = try flag()
      _ = try ue()
      var count = 0
      for _ in 0...deltas[index - 1] {
        let isUsed = try flag()
        let isKept = isUsed ? true : try flag()
        if isKept { count += 1 }
      }
      return count
    }
    let (before, after) = (try ue(), try ue())
    guard before + after <= 32 else { throw Malformed("an SPS of too many reference pictures") }
    for _ in 0..<(before + after) {
      _ = try ue()
      _ = try flag()
    }
    return before + after
  }

  /// The start of the VUI.
  fileprivate mutating func readSignal() throws(Malformed) -> (
    aspect: Ratio?, color: ColorDescription, hasFields: Bool
  ) {
    let aspect = try H264SPS.VUI.aspect(&self)
    if try flag() { _ = try flag() }
    let color = try H264SPS.VUI.color(&self)
    if try flag() {
      _ = try ue()
      _ = try ue()
    }
    _ = try flag()
    return (aspect, color, try flag())
  }
}
