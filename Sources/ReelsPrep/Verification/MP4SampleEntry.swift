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
    let color: Color?
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
  }

  struct Audio: Sendable {
    let channels: Int
    /// Hertz.
    let sampleRate: Int
    /// nil where there is no `esds`, or none that can be read.
    let configuration: AudioConfiguration?
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
    var color: Color?
    if let colr = children.first(where: { $0.type == "colr" }) { color = try Self.color(colr) }
    return Video(
      width: width, height: height,
      avcConfiguration: children.first { $0.type == "avcC" },
      hvcConfiguration: children.first { $0.type == "hvcC" }, color: color,
      pixelAspect: pixelAspect,
      cropLocation: children.first { $0.type == "clap" }?.location,
      interlacedLocation: interlacedLocation)
  }

  private static func color(_ box: MP4Box) throws(Malformed) -> Color {
    var reader = box.reader
    let type = FourCC(rawValue: try reader.u32())
    guard type == "nclx" || type == "nclc" else {
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
    try reader.skip(8)
    let version = try reader.u16()
    try reader.skip(6)
    let channels = Int(try reader.u16())
    try reader.skip(6)
    let sampleRate = Int(try reader.u32() >> 16)
    var configuration: AudioConfiguration?
    if box.type == "mp4a" {
      // QuickTime's versions 1 and 2 are longer.
      let extra = version == 1 ? 16 : version == 2 ? 36 : 0
      var children = try box.children(after: 28 + extra)
      if let wave = children.first(where: { $0.type == "wave" }) { children = try wave.children() }
      if let esds = children.first(where: { $0.type == "esds" }) {
        // One that cannot be read leaves the codec unknown, which is a finding and no error.
        configuration = try? AudioConfiguration(esds: esds)
      }
    }
    return Audio(channels: channels, sampleRate: sampleRate, configuration: configuration)
  }
}
