internal import ReelsModel
internal import ReelsPrep
internal import Testing

@Suite struct `Telling the kind of a file` {
  private static func bytes(_ text: String, at offset: Int = 0) -> [UInt8] {
    [UInt8](repeating: 0, count: offset) + Array(text.utf8)
  }

  /// 30 packets of a transport stream, beginning `phase` bytes before the second's start.
  private static func transportStream(stride: Int, at offset: Int, cut: Int = 0) -> [UInt8] {
    let packets = (0..<30).flatMap { _ in
      var packet = [UInt8](repeating: 0xFF, count: stride)
      packet.replaceSubrange(offset..<(offset + 4), with: [0x47, 0x40, 0x11, 0x10])
      return packet
    }
    return Array(packets.dropFirst(cut).prefix(MediaSniffer.headBytes))
  }

  private static func ogg(_ packet: [UInt8]) -> [UInt8] {
    let first =
      bytes("OggS") + [0, 2] + [UInt8](repeating: 0, count: 20) + [1, UInt8(packet.count)]
    let second = bytes("OggS") + [0, 0] + [UInt8](repeating: 0, count: 20) + [1, 4, 1, 2, 3, 4]
    return first + packet + second
  }

  static let picture: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
  static let gif = bytes("GIF89a") + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static let videos: [(String, [UInt8])] = [
    ("MP4", Head.mp4), ("QuickTime", bytes("\0\0\0\u{14}ftypqt  \0\0\0\0")),
    ("3GP", bytes("\0\0\0\u{18}ftyp3gp5\0\0\0\0")),
    ("QuickTime without a brand", bytes("\0\0\0\u{8}wide\0\0\u{1}\0mdat")),
    ("moov first", bytes("\0\0\u{1}\0moov\0\0\0lmvhd")), ("fragment", bytes("\0\0\0 moof\0\0")),
    ("AVIF sequence", bytes("\0\0\0\u{1C}ftypavis\0\0\0\0")), ("Matroska", Head.matroska),
    ("AVI", bytes("RIFF\0\0\0\0AVI LIST")), ("FLV", bytes("FLV\u{1}\u{5}\0\0\0\u{9}")),
    ("ASF", [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9]),
    ("Theora", ogg([0x80] + bytes("theora\u{3}\u{2}"))),
    ("MPEG-TS", transportStream(stride: 188, at: 0)),
    ("MPEG-TS from the middle of a packet", transportStream(stride: 188, at: 0, cut: 77)),
    ("M2TS", transportStream(stride: 192, at: 4)), ("204", transportStream(stride: 204, at: 0)),
    ("MPEG-PS", [0, 0, 1, 0xBA, 0x44, 0]), ("MPEG-2 video", [0, 0, 1, 0xB3, 0x2D, 0x02]),
    ("H.264", [0, 0, 0, 1, 0x67, 0x64, 0, 0x28]), ("H.265", [0, 0, 0, 1, 0x40, 0x01, 0x0C]),
    ("AV1", [0x12, 0, 0x0A, 0x0B]), ("Y4M", bytes("YUV4MPEG2 W2 H2 F25:1")),
    ("IVF", bytes("DKIF\0\0 \0VP90")), ("NUT", bytes("nut/multimedia container\0")),
    ("RealMedia", bytes(".RMF\0\0\0\u{12}")), ("DV", [0x1F, 0x07, 0x00, 0x3F, 0xE0]),
    ("MXF", [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01]),
    (
      "MXF after a run-in",
      [UInt8](repeating: 0, count: 99)
        + [0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01, 0x0D, 0x01, 0x02, 0x01, 0x01]
    ),
    ("GIF with a second picture", gif + picture + picture + [0x3B]),
    ("GIF that repeats", gif + [0x21, 0xFF, 11] + bytes("NETSCAPE2.0") + [3, 1, 0, 0, 0]),
    (
      "animated PNG",
      png + [0, 0, 0, 1] + bytes("IHDR") + [0, 0, 0, 0, 0, 0, 0, 0, 8]
        + bytes("acTL")
    ),
  ]

  static let stills: [(String, [UInt8])] = [
    ("JPEG", Head.jpeg), ("PNG", png + [0, 0, 0, 0] + bytes("IDAT")),
    ("GIF", gif + picture + [0x3B]),
    ("HEIC", bytes("\0\0\0\u{18}ftypheic\0\0\0\0")),
    ("HEIF", bytes("\0\0\0\u{18}ftypmif1\0\0\0\0")),
    ("AVIF", bytes("\0\0\0\u{18}ftypavif\0\0\0\0")), ("TIFF", bytes("II*\0\u{8}\0\0\0")),
    ("WebP", bytes("RIFF\0\0\0\0WEBPVP8 ")),
  ]

  static let sounds: [(String, [UInt8])] = [
    ("MP3 with a tag", Head.mp3), ("FLAC", bytes("fLaC\0\0\0\"")),
    ("MP3", [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 20)),
    ("ADTS", [0xFF, 0xF1, 0x50, 0x80] + [UInt8](repeating: 0, count: 20)),
    ("WAV", bytes("RIFF\0\0\0\0WAVEfmt ")), ("M4A", bytes("\0\0\0\u{1C}ftypM4A \0\0\0\0")),
    ("Vorbis", ogg([1] + bytes("vorbis"))), ("Opus", ogg(bytes("OpusHead"))),
    ("AIFF", bytes("FORM\0\0\0\0AIFF")), ("AMR", bytes("#!AMR\n")),
  ]

  static let others: [(String, [UInt8])] = [
    ("nothing", []), ("one byte", [0x47]), ("text", bytes("Good morning.\n")),
    ("text of nothing but G", [UInt8](repeating: 0x47, count: 4096)),
    ("a playlist", bytes("#EXTM3U\n#EXTINF:10,\nsegment.ts\n")), ("PDF", bytes("%PDF-1.7\n")),
    ("ZIP", bytes("PK\u{3}\u{4}")), ("zeros", [UInt8](repeating: 0, count: 4096)),
    ("ELF", [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]),
    ("UTF-16", [0xFF, 0xFE] + bytes("h\0e\0l\0l\0o\0!\0")),
  ]

  @Test func `videos are told by their first bytes`() {
    for (name, head) in Self.videos { #expect(MediaSniffer.kind(of: head) == .video, "\(name)") }
  }

  @Test func `stills, sounds and everything else are told apart`() {
    for (name, head) in Self.stills { #expect(MediaSniffer.kind(of: head) == .still, "\(name)") }
    for (name, head) in Self.sounds { #expect(MediaSniffer.kind(of: head) == .sound, "\(name)") }
    for (name, head) in Self.others { #expect(MediaSniffer.kind(of: head) == .other, "\(name)") }
  }

  @Test func `no beginning of any of them is too short to be looked at`() {
    for (_, head) in Self.videos + Self.stills + Self.sounds {
      for count in 0...min(head.count, 64) { _ = MediaSniffer.kind(of: Array(head.prefix(count))) }
    }
  }

  @Test func `a long first picture does not hide the second of a GIF`() throws {
    let folder = try TemporaryFolder()
    let block = [UInt8(255)] + [UInt8](repeating: 7, count: 255)
    let long = Array(Self.picture.prefix(11)) + (0..<40).flatMap { _ in block } + [0]
    try folder.write(Self.gif + long + Self.picture + [0x3B], to: "two")
    try folder.write(Self.gif + long + [0x3B], to: "one")
    #expect(try MediaSniffer.kind(of: folder.path("two")) == .video)
    #expect(try MediaSniffer.kind(of: folder.path("one")) == .still)
  }

  @Test func `an unknown content under a video's extension is left to a worker`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1, 2, 3, 4], to: "damaged.MOV")
    try folder.write([1, 2, 3, 4], to: "damaged.dat")
    try folder.write([], to: "empty.mov")
    #expect(try MediaSniffer.kind(of: folder.path("damaged.MOV")) == .video)
    #expect(try MediaSniffer.kind(of: folder.path("damaged.dat")) == .other)
    #expect(try MediaSniffer.kind(of: folder.path("empty.mov")) == .other)
  }
}
