internal import ReelsFFmpeg
internal import ReelsModel

/// A still picture's file as far as it can be read without decoding it.
struct StillSource {
  let codec: StillCodec
  let size: PixelSize
  var orientation = Orientation.upright
  /// Whether the file holds further pictures to show after the first.
  var isAnimated = false
  /// "is cut short"; nil where the file is whole.
  var fault: String?
  /// What is given to the decoder: no metadata, nothing that expands, nothing after the picture.
  var bytes: [UInt8] = []
  /// The same without the colour profile, for a decoder that stumbles over it; nil where there is
  /// none.
  var bytesWithoutProfile: [UInt8]?
  /// Whether a profile was left out because of its size.
  var hasHugeProfile = false
  var inks: Inks?
  /// Of a PNG's gAMA chunk, as in 0.45455.
  var gamma: Double?
  /// Of a PNG's cHRM chunk: x and y of white, red, green and blue.
  var chromaticities: [Double]?

  /// How four components stand for inks.
  enum Inks: Hashable, Sendable {
    /// Each component is 255 where there is no ink.
    case cmyk
    /// Cyan, magenta and yellow as JFIF's colour difference of the ink's amount; black as above.
    case ycck
  }

  init(codec: StillCodec, size: PixelSize) {
    self.codec = codec
    self.size = size
  }

  /// Reads a file by its content, whatever its name.
  ///
  /// - Returns: nil where it is no PNG, JPEG or WebP, or its header is not readable.
  static func read(_ bytes: [UInt8]) -> StillSource? {
    (try? png(bytes)) ?? (try? jpeg(bytes)) ?? (try? webp(bytes))
  }

  /// What a file is that is none of these; nil where that is not known either.
  static func foreign(_ bytes: [UInt8]) -> String? {
    func starts(_ text: String, at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: text.utf8)
    }
    if starts("ftyp", at: 4) {
      let brands = ["heic", "heix", "heim", "heis", "hevc", "mif1", "mif2", "msf1"]
      if brands.contains(where: { starts($0, at: 8) }) { return "a HEIC picture" }
      if starts("avif", at: 8) || starts("avis", at: 8) { return "an AVIF picture" }
      return "a video"
    }
    let signatures = [
      ("GIF8", "a GIF"), ("II*\0", "a TIFF picture"), ("MM\0*", "a TIFF picture"),
      ("BM", "a bitmap"), ("8BPS", "a Photoshop document"), ("%PDF", "a PDF document"),
      ("<svg", "an SVG drawing"), ("<?xml", "an SVG drawing"),
    ]
    return signatures.first { starts($0.0) }?.1
  }
}

/// The orientation among EXIF data (CIPA DC-008, tag 0x0112 of the first directory).
enum ExifOrientation {
  /// - Parameter bytes: a TIFF structure, with or without "Exif" and two zeros before it.
  /// - Returns: upright where there is none, and where the data is broken.
  static func read(_ bytes: ArraySlice<UInt8>) -> Orientation {
    let head = Array("Exif\0\0".utf8)
    let tiff = Array(bytes.starts(with: head) ? bytes.dropFirst(head.count) : bytes)
    let isLittle = tiff.starts(with: "II".utf8)
    guard isLittle || tiff.starts(with: "MM".utf8) else { return .upright }
    func number(_ at: Int, _ count: Int) -> Int? {
      guard at >= 0, at + count <= tiff.count else { return nil }
      let part = tiff[at..<at + count]
      return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(2, 2) == 42, let directory = number(4, 4), let entries = number(directory, 2)
    else { return .upright }
    for entry in 0..<entries {
      let at = directory + 2 + entry * 12
      guard let tag = number(at, 2) else { break }
      // A number of 16 bits, as the standard has it, or of 32.
      guard tag == 0x0112, let type = number(at + 2, 2), type == 3 || type == 4 else { continue }
      return number(at + 8, type == 3 ? 2 : 4).flatMap(Orientation.init(exif:)) ?? .upright
    }
    return .upright
  }
}

extension Orientation {
  /// CIPA DC-008, 4.6.4: 1 is upright, 2 to 8 are the others; nil for any other number.
  init?(exif: Int) {
    let turns = [0, 0, 2, 2, 3, 1, 1, 3]
    guard (1...8).contains(exif) else { return nil }
    self.init(quarterTurns: turns[exif - 1], mirrored: [2, 4, 5, 7].contains(exif))
  }
}
