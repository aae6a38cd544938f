import ReelsModel

/// A sequence parameter set: H.264, 7.3.2.1.1 and, for `vui`, E.1.1.
struct H264SPS: Hashable, Sendable {
  let location: String
  let profileIDC: Int
  /// `constraint_set0_flag` is the highest of 8 bits.
  let constraintFlags: Int
  let levelIDC: Int
  /// 1 is 4:2:0.
  let chromaFormat: Int
  let lumaBitDepth: Int
  let chromaBitDepth: Int
  let referenceFrames: Int
  let isFrameOnly: Bool
  let widthInMacroblocks: Int
  /// Of a frame, both fields.
  let heightInMacroblocks: Int
  /// After cropping.
  let size: PixelSize
  let vui: VUI?

  /// Video usability information.
  struct VUI: Hashable, Sendable {
    /// Of a pixel, width over height; nil where unspecified.
    var pixelAspect: Ratio?
    var color = ColorDescription()
    /// Frames a second, from `time_scale` and `num_units_in_tick`.
    var frameRate: Ratio?
    var reorderFrames: Int?
    /// Whether `pic_timing` begins with `pic_struct`: announced, and without buffer parameters before it.
    var hasPlainPictureTiming = false
    /// `max_dec_frame_buffering`.
    var bufferedFrames: Int?
  }

  /// Pictures larger than this on a side are refused; level 6.2 ends at 16,880.
  private static let maximumSide = 1 << 16

  private static let profilesWithChroma: Set<Int> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]

  /// Reads a NAL unit, its header included.
  init(unit: ArraySlice<UInt8>, location: String) throws(Malformed) {
    guard let header = unit.first, header & 31 == 7 else {
      throw Malformed("\(location) holds a sequence parameter set that is none")
    }
    var bits = BitReader(nalPayload: unit.dropFirst(), place: "the SPS in \(location)")
    self.location = location
    self.profileIDC = try bits.bits(8)
    self.constraintFlags = try bits.bits(8)
    self.levelIDC = try bits.bits(8)
    _ = try bits.ue()
    if Self.profilesWithChroma.contains(profileIDC) {
      self.chromaFormat = try bits.ue()
      if chromaFormat == 3 { _ = try bits.flag() }
      self.lumaBitDepth = try bits.ue() + 8
      self.chromaBitDepth = try bits.ue() + 8
      _ = try bits.flag()
      if try bits.flag() { try bits.skipScalingLists(chromaFormat == 3 ? 12 : 8) }
    } else {
      (chromaFormat, lumaBitDepth, chromaBitDepth) = (1, 8, 8)
    }
    _ = try bits.ue()
    try bits.skipPictureOrder()
    self.referenceFrames = try bits.ue()
    _ = try bits.flag()
    let columns = try bits.ue() + 1
    let rows = try bits.ue() + 1
    self.isFrameOnly = try bits.flag()
    if !isFrameOnly { _ = try bits.flag() }
    _ = try bits.flag()
    let fields = isFrameOnly ? 1 : 2
    guard columns <= Self.maximumSide / 16, rows <= Self.maximumSide / 16 else {
      throw Malformed("\(location) holds a picture of \(columns)x\(rows) macroblocks")
    }
    self.widthInMacroblocks = columns
    self.heightInMacroblocks = rows * fields
    var size = PixelSize(width: columns * 16, height: rows * fields * 16)
    if try bits.flag() {
      // 6.4.1: in units of a chroma sample, and of a field's row.
      let unitX = chromaFormat == 1 || chromaFormat == 2 ? 2 : 1
      let unitY = (chromaFormat == 1 ? 2 : 1) * fields
      size.width -= (try bits.ue() + (try bits.ue())) * unitX
      size.height -= (try bits.ue() + (try bits.ue())) * unitY
    }
    guard size.width > 0, size.height > 0 else {
      throw Malformed("\(location) holds an SPS that crops the whole picture")
    }
    self.size = size
    self.vui = try bits.flag() ? try VUI(reading: &bits) : nil
  }

  /// The frames that a decoder has to hold: as stated, else as many as are referred to.
  var decodedPictureBuffer: Int { max(vui?.bufferedFrames ?? referenceFrames, referenceFrames) }

  /// The profile's name as in libavcodec and in the standard's annex A.
  var profileName: String {
    let isConstrained = constraintFlags & 0x40 != 0
    return switch profileIDC {
    case 66: isConstrained ? "Constrained Baseline" : "Baseline"
    case 77: "Main"
    case 88: "Extended"
    case 100: "High"
    case 110: "High 10"
    case 122: "High 4:2:2"
    case 244: "High 4:4:4 Predictive"
    default: "profile \(profileIDC)"
    }
  }
}

extension H264SPS.VUI {
  /// The aspect ratio of a pixel, in HEVC as in H.264.
  static func aspect(_ bits: inout BitReader) throws(Malformed) -> Ratio? {
    guard try bits.flag() else { return nil }
    let index = try bits.bits(8)
    if index == extendedAspect {
      let (width, height) = (try bits.bits(16), try bits.bits(16))
      return width == 0 ? nil : Ratio(Int64(width), over: Int64(height))
    }
    guard aspects.indices.contains(index - 1) else { return nil }
    return Ratio(aspects[index - 1].0, over: aspects[index - 1].1)
  }

  /// The type of the signal, in HEVC as in H.264.
  static func color(_ bits: inout BitReader) throws(Malformed) -> ColorDescription {
    var color = ColorDescription()
    guard try bits.flag() else { return color }
    _ = try bits.bits(3)
    color.range = try bits.flag() ? .full : .limited
    if try bits.flag() {
      color.primaries = ColorPrimaries(rawValue: try bits.bits(8))
      color.transfer = ColorTransfer(rawValue: try bits.bits(8))
      color.matrix = ColorMatrix(rawValue: try bits.bits(8))
    }
    return color
  }

  /// `Extended_SAR`, after the seventeen ratios of table E-1.
  private static let extendedAspect = 255
  private static let aspects: [(Int64, Int64)] = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33),
    (18, 11), (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]

  init(reading bits: inout BitReader) throws(Malformed) {
    pixelAspect = try Self.aspect(&bits)
    if try bits.flag() { _ = try bits.flag() }
    color = try Self.color(&bits)
    if try bits.flag() {
      _ = try bits.ue()
      _ = try bits.ue()
    }
    if try bits.flag() {
      let (tick, scale) = (try bits.bits(32), try bits.bits(32))
      // A frame takes two ticks.
      frameRate = Ratio(Int64(scale), over: Int64(tick) * 2)
      _ = try bits.flag()
    }
    let hasNALParameters = try bits.flag()
    if hasNALParameters { try bits.skipBufferParameters() }
    let hasVCLParameters = try bits.flag()
    if hasVCLParameters { try bits.skipBufferParameters() }
    if hasNALParameters || hasVCLParameters { _ = try bits.flag() }
    let hasPictureTiming = try bits.flag()
    hasPlainPictureTiming = hasPictureTiming && !hasNALParameters && !hasVCLParameters
    if try bits.flag() {
      _ = try bits.flag()
      for _ in 0..<4 { _ = try bits.ue() }
      reorderFrames = try bits.ue()
      bufferedFrames = try bits.ue()
    }
  }
}

extension BitReader {
  /// 7.3.2.1.1.1.
  fileprivate mutating func skipScalingLists(_ count: Int) throws(Malformed) {
    for list in 0..<count where try flag() {
      var (last, next) = (8, 8)
      for _ in 0..<(list < 6 ? 16 : 64) {
        if next != 0 { next = (last + (try se())) & 255 }
        if next != 0 { last = next }
      }
    }
  }

  /// `pic_order_cnt_type` and what follows from it.
  fileprivate mutating func skipPictureOrder() throws(Malformed) {
    switch try ue() {
    case 0: _ = try ue()
    case 1:
      _ = try flag()
      _ = try se()
      _ = try se()
      // As many codes as are there, at most 255: each read is checked.
      for _ in 0..<min(try ue(), 256) { _ = try se() }
    default: break
    }
  }

  /// `hrd_parameters`, E.1.2.
  fileprivate mutating func skipBufferParameters() throws(Malformed) {
    let count = try ue() + 1
    _ = try bits(8)
    for _ in 0..<min(count, 32) {
      _ = try ue()
      _ = try ue()
      _ = try flag()
    }
    _ = try bits(20)
  }
}
