package import ReelsModel

/// Tells from a file's first bytes whether it may be a video, without a demuxer.
///
/// It chooses among the files of a folder. What it lets through is decided by a worker, and a file
/// named on the command line is never asked about here.
package enum MediaSniffer {
  package enum Kind: Hashable, Sendable {
    case video, still, sound, other
  }

  /// A transport stream of 204-byte packets shows 20 of them here.
  package static let headBytes = 4096

  /// A GIF is read this far in search of its second picture.
  static let gifBytes = 1 << 20

  /// Reads the head of the file at `path`, and more of a GIF.
  ///
  /// An unknown content under a video's extension may be a damaged video: it is let through.
  ///
  /// - Throws: `FileError`.
  package static func kind(of path: FilePath) throws(FileError) -> Kind {
    let file = try OpenFile.open(path, for: .reading)
    var head = try file.read(headBytes)
    if head.starts(with: "GIF8".utf8), head.count == headBytes {
      head += try file.read(gifBytes - headBytes)
    }
    let kind = kind(of: head)
    let pathExtension = path.pathExtension
    if kind == .still, head.starts(with: [0xFF, 0xD8, 0xFF]),
      ["mjpg", "mjpeg"].contains(pathExtension)
    {
      return .video
    }
    if kind == .other, !head.isEmpty, videoExtensions.contains(pathExtension) { return .video }
    return kind
  }

  /// What starts with `head`.
  package static func kind(of head: [UInt8]) -> Kind {
    isoMedia(head) ?? signature(head) ?? riff(head) ?? ogg(head) ?? gif(head) ?? png(head)
      ?? elementaryStream(head) ?? (isTransportStream(head) ? .video : nil) ?? mxf(head) ?? .other
  }

  static let videoExtensions: Set<String> = [
    "mp4", "m4v", "mov", "qt", "mkv", "webm", "avi", "ts", "mts", "m2ts", "mpg", "mpeg", "vob",
    "flv", "f4v", "wmv", "asf", "ogv", "mxf", "3gp", "3g2", "dv", "rm", "rmvb", "nut", "ivf",
    "h264", "264", "h265", "265", "hevc", "y4m", "mjpg", "mjpeg", "divx", "mod", "tod", "insv",
    "lrv", "wtv",
  ]

  // MARK: ISO base media, QuickTime, HEIF

  private static let soundBrands: Set<String> = ["M4A ", "M4B ", "M4P ", "F4A ", "F4B ", "aax "]
  private static let stillBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "mif1", "mif2", "avif", "crx ", "jp2 ", "jpx ", "jxl ",
  ]
  private static let firstBoxes: Set<String> = [
    "moov", "mdat", "moof", "wide", "free", "skip", "pnot", "styp", "sidx", "uuid",
  ]

  private static func isoMedia(_ head: [UInt8]) -> Kind? {
    guard head.count >= 8 else { return nil }
    let type = text(head[4..<8])
    if type == "ftyp" {
      guard head.count >= 12 else { return .video }
      let brand = text(head[8..<12])
      if soundBrands.contains(brand) { return .sound }
      return stillBrands.contains(brand) ? .still : .video
    }
    if type == "jP  " || type == "JXL " { return .still }
    // A size of 0 runs to the end of the file and 1 is followed by 64 bits; else it holds a header.
    let size = UInt32(bigEndian: head[0..<4])
    return firstBoxes.contains(type) && (size <= 1 || size >= 8) ? .video : nil
  }

  // MARK: fixed signatures

  private static let signatures: [(bytes: [UInt8], kind: Kind)] = [
    ([0x1A, 0x45, 0xDF, 0xA3], .video),  // EBML: Matroska, WebM
    ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], .video),  // ASF
    (Array("FLV\u{1}".utf8), .video),
    (Array("YUV4MPEG2".utf8), .video),
    (Array("DKIF".utf8), .video),  // IVF
    (Array("nut/multimedia container\0".utf8), .video),
    (Array(".RMF".utf8), .video),
    (Array("BBCD".utf8), .video),  // Dirac
    (Array("NSVf".utf8), .video),
    (Array("NSVs".utf8), .video),
    (Array("SMK2".utf8), .video),
    (Array("SMK4".utf8), .video),
    (Array("BIKi".utf8), .video),
    (Array("BIKf".utf8), .video),
    ([0xB7, 0xD8, 0x00, 0x20, 0x37, 0x49, 0xDA, 0x11], .video),  // WTV
    ([0x1F, 0x07, 0x00, 0x3F], .video),  // DV, 525 lines
    ([0x1F, 0x07, 0x00, 0xBF], .video),  // DV, 625 lines
    ([0x12, 0x00, 0x0A], .video),  // AV1: a temporal delimiter, then a sequence header
    ([0xFF, 0xD8, 0xFF], .still),  // JPEG
    (Array("II*\0".utf8), .still),  // TIFF and most camera raws
    (Array("MM\0*".utf8), .still),
    (Array("8BPS".utf8), .still),
    (Array("SDPX".utf8), .still),
    (Array("XPDS".utf8), .still),
    ([0x76, 0x2F, 0x31, 0x01], .still),  // OpenEXR
    ([0xFF, 0x0A], .still),  // JPEG XL
    ([0xFF, 0x4F, 0xFF, 0x51], .still),  // JPEG 2000 code stream
    (Array("fLaC".utf8), .sound),
    (Array("ID3".utf8), .sound),
    (Array(".ra\u{FD}".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }), .sound),
    (Array("#!AMR".utf8), .sound),
    (Array("caff".utf8), .sound),
    (Array("FORM".utf8), .sound),  // AIFF
    (Array("MThd".utf8), .sound),
    (Array("wvpk".utf8), .sound),
    (Array("MAC ".utf8), .sound),
    (Array(".snd".utf8), .sound),
    ([0x0B, 0x77], .sound),  // AC-3
  ]

  private static func signature(_ head: [UInt8]) -> Kind? {
    if let hit = signatures.first(where: { head.starts(with: $0.bytes) }) { return hit.kind }
    guard head.count > 14 else { return nil }
    // Windows bitmap: the size of its second header is one of these.
    if head.starts(with: "BM".utf8), [12, 40, 52, 56, 108, 124].contains(head[14]) {
      return .still
    }
    // MPEG audio or ADTS: 11 or 12 set bits, then a layer and a rate that exist.
    if head[0] == 0xFF, head[1] != 0xFE, head[1] & 0xE0 == 0xE0, head[1] & 0x18 != 0x08,
      head[2] & 0xF0 != 0xF0
    {
      return .sound
    }
    return nil
  }

  // MARK: containers that need a look inside

  private static func riff(_ head: [UInt8]) -> Kind? {
    let isRIFF = head.starts(with: "RIFF".utf8)
    guard isRIFF || head.starts(with: "RF64".utf8), head.count >= 12 else { return nil }
    switch text(head[8..<12]) {
    case "AVI ", "AVIX", "AMV ", "ON2 ", "CDXA": return .video
    case "WEBP": return .still
    case "WAVE": return .sound
    default: return .other
    }
  }

  /// Ogg begins with a first page for each track; each names its codec.
  private static func ogg(_ head: [UInt8]) -> Kind? {
    guard head.starts(with: "OggS".utf8) else { return nil }
    var at = 0
    while at + 27 <= head.count, head[at...].starts(with: "OggS".utf8), head[at + 5] & 2 != 0 {
      let segments = Int(head[at + 26])
      let body = at + 27 + segments
      guard body <= head.count else { return .video }
      let packet = head[body...]
      let codecs = ["\u{1}theora", "\u{1}video", "BBCD", "OVP80"].map { Array($0.utf8) }
      if packet.first == 0x80, packet.dropFirst().starts(with: "theora".utf8) { return .video }
      if codecs.contains(where: { packet.starts(with: $0) }) { return .video }
      at = body + head[(at + 27)..<body].reduce(0) { $0 + Int($1) }
    }
    // The pages of the head were all seen only if a page that is no first page ended them.
    return at + 6 <= head.count ? .sound : .video
  }

  /// A GIF is a video where it repeats or holds a second picture.
  private static func gif(_ head: [UInt8]) -> Kind? {
    guard head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) else { return nil }
    guard head.count > 13 else { return .still }
    var at = 13 + colorTableBytes(head[10])
    var pictures = 0
    while at + 1 < head.count {
      switch head[at] {
      case 0x21:
        if head[at + 1] == 0xFF, head[at...].dropFirst(3).starts(with: "NETSCAPE2.0".utf8) {
          return .video
        }
        at += 2
      case 0x2C:
        pictures += 1
        if pictures > 1 { return .video }
        guard at + 9 < head.count else { return .still }
        at += 10 + colorTableBytes(head[at + 9]) + 1
      default: return .still
      }
      while at < head.count, head[at] != 0 { at += Int(head[at]) + 1 }
      at += 1
    }
    // A first picture that fills all that was read may be followed by others.
    return head.count >= gifBytes ? .video : .still
  }

  private static func colorTableBytes(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  /// A PNG is a video where it has an animation control chunk.
  private static func png(_ head: [UInt8]) -> Kind? {
    guard head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    var at = 8
    while at + 8 <= head.count {
      let type = text(head[(at + 4)..<(at + 8)])
      if type == "acTL" { return .video }
      if type == "IDAT" { return .still }
      at += 12 + Int(UInt32(bigEndian: head[at..<(at + 4)]))
    }
    return .still
  }

  // MARK: streams without a container's header

  /// MPEG program streams, MPEG-1, -2 and -4 video, and Annex B of H.264 and H.265.
  private static func elementaryStream(_ head: [UInt8]) -> Kind? {
    guard head.count >= 6, head[0] == 0, head[1] == 0 else { return nil }
    let start = head[2] == 1 ? 3 : head[2] == 0 && head[3] == 1 ? 4 : 0
    guard start > 0 else { return nil }
    let (first, second) = (head[start], head[start + 1])
    if [0xBA, 0xBB, 0xB3, 0xB0, 0xB5].contains(first) { return .video }
    guard first & 0x80 == 0 else { return nil }
    // SEI, SPS, access unit delimiter; VPS, SPS, PPS, delimiter, SEI in temporal layer 0.
    let isH264 = [6, 7, 9].contains(first & 0x1F)
    let isH265 = [32, 33, 34, 35, 39].contains(first >> 1) && second == 1
    return isH264 || isH265 ? .video : nil
  }

  /// Packets of 188 bytes, of 192 with a time stamp before each (M2TS), or of 204 with parity; a
  /// recording may begin in the middle of one.
  private static func isTransportStream(_ head: [UInt8]) -> Bool {
    for stride in [188, 192, 204] where head.count >= 3 * stride {
      for phase in 0..<stride where head[phase] == 0x47 {
        let starts = Swift.stride(from: phase, to: head.count - 3, by: stride)
        // Each packet carries a payload or an adaptation field, which rules out plain text.
        if starts.allSatisfy({ head[$0] == 0x47 && head[$0 + 3] & 0x30 != 0 }),
          starts.contains(where: { head[$0 + 3] & 0xC0 == 0 && head[$0 + 1] & 0x80 == 0 })
        {
          return true
        }
      }
    }
    return false
  }

  /// A partition pack, after a run-in where there is one (SMPTE ST 377-1).
  private static func mxf(_ head: [UInt8]) -> Kind? {
    let key: [UInt8] = [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02]
    for at in head.indices where head[at] == key[0] && head[at...].starts(with: key) {
      return .video
    }
    return nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt32 {
  fileprivate init(bigEndian bytes: ArraySlice<UInt8>) {
    self = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}
