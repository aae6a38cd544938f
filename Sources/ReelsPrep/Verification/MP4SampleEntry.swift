/// How the samples of a track are to be read: the first entry of `stsd`.
struct MP4SampleEntry: Sendable {
  let format: FourCC
  let location: String
  /// How many entries `stsd` holds; more than one changes the codec's settings midway.
  let entryCount: Int
  let kind: Kind

  enum Kind: Sendable {
    case video(Video)
    case audio(Audio)
    case other
  }

  struct Video: Sendable {
    let width: Int
    let height: Int
    /// `avcC`.
    let avcConfiguration: MP4Box?
    /// `hvcC`.
    let hvcConfiguration: MP4Box?
    /// All `colr` boxes that tell numbers; the only one where it is an ICC profile.
    let colors: [Color]
    /// Boxes of HDR: `mdcv`, `clli`, and what configures Dolby Vision.
    let highRange: [(type: FourCC, location: String)]
    /// Boxes of spheres and of two views: `sv3d`, `st3d`, `vexu`.
    let projections: [(type: FourCC, location: String)]
    /// `pasp`: width and height of a pixel.
    let pixelAspect: (horizontal: UInt32, vertical: UInt32, location: String)?
    /// Where a `clap` cuts the picture.
    let cropLocation: String?
    /// `fiel` with two fields a frame.
    let interlacedLocation: String?
  }

  /// `colr`.
  struct Color: Sendable {
    let location: String
    /// "nclx", "nclc", "prof", …
    let type: FourCC
    let primaries: Int
    let transfer: Int
    let matrix: Int
    /// nil where the box has no such flag.
    let isFullRange: Bool?

    var isNumbered: Bool { type == "nclx" || type == "nclc" }
  }

  struct Audio: Sendable {
    let channels: Int
    /// Hertz.
    let sampleRate: Int
    /// nil where there is no `esds`, or none that can be read.
    let configuration: AudioConfiguration?
    /// Why there is none, of MPEG-4 sound.
    let configurationFault: String?
  }

  /// The formats whose fields are those of video.
  static func isVideo(_ format: FourCC) -> Bool {
    ["avc1", "avc3", "hvc1", "hev1", "av01", "vp09", "mp4v", "dvh1", "dvhe", "dva1"].contains(
      format)
  }

  /// How many bytes of fields a sound entry has: QuickTime's versions 1 and 2 are longer.
  static func audioFields(_ box: MP4Box) -> Int {
    let version = box.payload.dropFirst(8).prefix(2).reduce(0) { $0 << 8 | Int($1) }
    return 28 + (version == 1 ? 16 : version == 2 ? 36 : 0)
  }

  /// - Returns: nil where `stsd` holds no entry.
  init?(first stsd: MP4Box, handler: FourCC) throws(Malformed) {
    var reader = stsd.reader
    try reader.skip(4)
    let count = try reader.count(ofEntriesOf: 8)
    guard let box = try stsd.children(after: 8).first else { return nil }
    self.format = box.type
    self.location = box.location
    self.entryCount = count
    switch handler {
    case "vide": self.kind = .video(try Self.video(box))
    case "soun": self.kind = .audio(try Self.audio(box))
    default: self.kind = .other
    }
  }

  private static func video(_ box: MP4Box) throws(Malformed) -> Video {
    var reader = box.reader
    try reader.skip(24)
    let (width, height) = (Int(try reader.u16()), Int(try reader.u16()))
    let children = try box.children(after: 78)
    var pixelAspect: (UInt32, UInt32, String)?
    if let pasp = children.first(where: { $0.type == "pasp" }) {
      var reader = pasp.reader
      pixelAspect = (try reader.u32(), try reader.u32(), pasp.location)
    }
    var interlacedLocation: String?
    if let fiel = children.first(where: { $0.type == "fiel" }) {
      var reader = fiel.reader
      if try reader.u8() > 1 { interlacedLocation = fiel.location }
    }
    var colors: [Color] = []
    for box in children where box.type == "colr" { colors.append(try Self.color(box)) }
    let numbered = colors.filter { $0.isNumbered }
    let places = { (types: Set<FourCC>) in
      children.filter { types.contains($0.type) }.map { (type: $0.type, location: $0.location) }
    }
    return Video(
      width: width, height: height,
      avcConfiguration: children.first { $0.type == "avcC" },
      hvcConfiguration: children.first { $0.type == "hvcC" },
      colors: numbered.isEmpty ? Array(colors.prefix(1)) : numbered,
      highRange: places(["mdcv", "clli", "SmDm", "CoLL", "dvcC", "dvvC", "dvwC"]),
      projections: places(["sv3d", "st3d", "vexu"]),
      pixelAspect: pixelAspect,
      cropLocation: children.first {
        $0.type == "clap" && !Self.isWhole($0, width: width, height: height)
      }?.location,
      interlacedLocation: interlacedLocation)
  }

  /// Whether a `clap` shows the whole picture: its eight numbers are four fractions (12.1.4).
  private static func isWhole(_ box: MP4Box, width: Int, height: Int) -> Bool {
    var reader = box.reader
    var numbers: [Int] = []
    while numbers.count < 8, let number = try? reader.i32() { numbers.append(Int(number)) }
    return numbers.count == 8 && numbers[1] > 0 && numbers[3] > 0
      && numbers[0] == width * numbers[1] && numbers[2] == height * numbers[3]
      && numbers[4] == 0 && numbers[6] == 0
  }

  private static func color(_ box: MP4Box) throws(Malformed) -> Color {
    var reader = box.reader
    let type = FourCC(rawValue: try reader.u32())
    guard ["nclx", "nclc"].contains(type) else {
      return Color(
        location: box.location, type: type, primaries: 2, transfer: 2, matrix: 2, isFullRange: nil)
    }
    return Color(
      location: box.location, type: type, primaries: Int(try reader.u16()),
      transfer: Int(try reader.u16()), matrix: Int(try reader.u16()),
      isFullRange: type == "nclx" ? try reader.u8() & 0x80 != 0 : nil)
  }

  private static func audio(_ box: MP4Box) throws(Malformed) -> Audio {
    var reader = box.reader
    try reader.skip(16)
    let channels = Int(try reader.u16())
    try reader.skip(6)
    let sampleRate = Int(try reader.u32() >> 16)
    var configuration: AudioConfiguration?
    var fault: String?
    if box.type == "mp4a" {
      var children = try box.children(after: audioFields(box))
      if let wave = children.first(where: { $0.type == "wave" }) { children = try wave.children() }
      if let esds = children.first(where: { $0.type == "esds" }) {
        // One that cannot be read leaves the codec unknown, which is a finding and no error.
        do throws(Malformed) {
          configuration = try AudioConfiguration(esds: esds)
          if configuration == nil { fault = "AAC whose esds holds no configuration" }
        } catch {
          fault = "AAC whose configuration cannot be read"
        }
      } else {
        fault = "AAC without an esds box"
      }
    }
    return Audio(
      channels: channels, sampleRate: sampleRate, configuration: configuration,
      configurationFault: fault)
  }
}
