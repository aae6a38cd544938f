/// What `esds` says of a sound track: ISO/IEC 14496-1, 7.2.6, and 14496-3, 1.6.2.
struct AudioConfiguration: Hashable, Sendable {
  let location: String
  /// 0x40 is MPEG-4 Audio.
  let objectTypeIndication: Int
  /// 2 is AAC-LC; nil where the indication is not MPEG-4 Audio.
  let audioObjectType: Int?
  /// Whether spectral band replication (HE-AAC) is signalled.
  let hasSpectralBandReplication: Bool
  /// Hertz.
  let sampleRate: Int
  /// Hertz of what is played where replication doubles it and says so; else `sampleRate`.
  let outputRate: Int
  /// nil where the stream itself tells.
  let channels: Int?
  /// Whether packets are of 960 samples, as in digital radio.
  let hasShortPackets: Bool

  /// ISO/IEC 14496-3, table 1.18.
  private static let sampleRates = [
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
  ]
  /// ISO/IEC 14496-3, table 1.19.
  private static let channelCounts = [nil, 1, 2, 3, 4, 5, 6, 8]

  var isAACLowComplexity: Bool {
    objectTypeIndication == 0x40 && audioObjectType == 2 && !hasSpectralBandReplication
      && !hasShortPackets
  }

  var name: String {
    guard let audioObjectType else {
      return Self.indications[objectTypeIndication]
        ?? "object type indication 0x\(String(objectTypeIndication, radix: 16))"
    }
    if hasSpectralBandReplication { return "HE-AAC" }
    if audioObjectType == 2, hasShortPackets { return "AAC-LC of 960 samples a packet" }
    return audioObjectType == 2 ? "AAC-LC" : "MPEG-4 audio object type \(audioObjectType)"
  }

  /// As registered at mp4ra.org.
  private static let indications = [
    0x66: "MPEG-2 AAC Main", 0x67: "MPEG-2 AAC-LC", 0x68: "MPEG-2 AAC SSR", 0x69: "MP3",
    0x6B: "MP3", 0xA5: "AC-3", 0xA6: "E-AC-3", 0xA9: "DTS", 0xAD: "Opus", 0xDD: "Vorbis",
  ]

  /// - Returns: nil where there is no decoder configuration.
  init?(esds: MP4Box) throws(Malformed) {
    var reader = esds.reader
    try reader.skip(4)
    var specific: ArraySlice<UInt8> = []
    var indication: Int?
    // ES_Descriptor (3) holds DecoderConfigDescriptor (4) holds DecoderSpecificInfo (5).
    while reader.remaining >= 2 {
      let tag = try reader.u8()
      let size = try Self.descriptorSize(&reader)
      switch tag {
      case 3:
        try reader.skip(2)
        let flags = try reader.u8()
        if flags & 0x80 != 0 { try reader.skip(2) }
        if flags & 0x40 != 0 { try reader.skip(Int(try reader.u8())) }
        if flags & 0x20 != 0 { try reader.skip(2) }
      case 4:
        indication = Int(try reader.u8())
        try reader.skip(12)
      case 5: specific = try reader.take(size)
      default: try reader.skip(size)
      }
    }
    guard let indication else { return nil }
    try self.init(specific: specific, indication: indication, location: esds.location)
  }

  /// Reads an AudioSpecificConfig.
  init(
    specific: ArraySlice<UInt8>, indication: Int, location: String
  ) throws(Malformed) {
    self.location = location
    self.objectTypeIndication = indication
    guard indication == 0x40 else {
      (audioObjectType, hasSpectralBandReplication, channels, hasShortPackets) =
        (nil, false, nil, false)
      (sampleRate, outputRate) = (0, 0)
      return
    }

    var bits = BitReader(specific, place: location)
    var type = try Self.objectType(&bits)
    let rate = try Self.rate(&bits)
    let channelCode = try bits.bits(4)
    var replication = type == 5 || type == 29
    var isShort = false
    var output = rate
    var layout: Int?
    if replication {
      output = try Self.rate(&bits)
      type = try Self.objectType(&bits)
    } else if type == 2, channelCode == 0 {
      isShort = try bits.readGeneralAudio()
      layout = try bits.readProgramChannels()
    } else if type == 2, bits.remaining >= 3 {
      // GASpecificConfig, then the backward compatible extension.
      isShort = try bits.readGeneralAudio()
      if bits.remaining >= 17, try bits.bits(11) == 0x2B7, try bits.bits(5) == 5 {
        replication = bits.remaining >= 1 ? try bits.flag() : false
      }
    }
    self.hasShortPackets = isShort
    self.audioObjectType = type
    self.hasSpectralBandReplication = replication
    (self.sampleRate, self.outputRate) = (rate, output)
    self.channels =
      layout ?? (channelCode < Self.channelCounts.count ? Self.channelCounts[channelCode] : nil)
  }

  private static func descriptorSize(_ reader: inout ByteReader) throws(Malformed) -> Int {
    var size = 0
    for _ in 0..<4 {
      let byte = try reader.u8()
      size = size << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    return size
  }

  private static func objectType(_ bits: inout BitReader) throws(Malformed) -> Int {
    let type = try bits.bits(5)
    return type == 31 ? 32 + (try bits.bits(6)) : type
  }

  private static func rate(_ bits: inout BitReader) throws(Malformed) -> Int {
    let index = try bits.bits(4)
    if index == 15 { return try bits.bits(24) }
    return index < sampleRates.count ? sampleRates[index] : 0
  }
}

extension BitReader {
  /// Reads `GASpecificConfig` of AAC-LC: ISO/IEC 14496-3, 4.4.1.
  ///
  /// - Returns: `frameLengthFlag`.
  fileprivate mutating func readGeneralAudio() throws(Malformed) -> Bool {
    let isShort = try flag()
    if try flag() { _ = try bits(14) }
    _ = try flag()
    return isShort
  }

  /// Reads the element that lays out the channels one by one: ISO/IEC 14496-3, 4.5.1.2, table 4.2.
  ///
  /// - Returns: how many there are.
  fileprivate mutating func readProgramChannels() throws(Malformed) -> Int {
    _ = try bits(4 + 2 + 4)
    let groups = [try bits(4), try bits(4), try bits(4)]
    let low = try bits(2)
    _ = try bits(3 + 4)
    if try flag() { _ = try bits(4) }
    if try flag() { _ = try bits(4) }
    if try flag() { _ = try bits(3) }
    var channels = low
    for count in groups {
      for _ in 0..<count {
        channels += try flag() ? 2 : 1
        _ = try bits(4)
      }
    }
    return channels
  }
}
