internal import ReelsPipeline

/// Parameter sets after start codes, as in transport streams, written as an MP4's boxes hold them.
enum StartCodeSets {
  /// The `avcC` or `hvcC` box's payload.
  ///
  /// - Returns: nil where sets are missing.
  static func configuration(of sets: [UInt8], _ codec: ParameterSets.Codec) -> [UInt8]? {
    let units = StartCodes.units(of: sets)
    guard units.allSatisfy({ $0.count < 1 << 16 }) else { return nil }
    return codec == .h264 ? avcC(units) : hvcC(units)
  }

  /// ISO/IEC 14496-15, 5.3.3.1.
  private static func avcC(_ units: [[UInt8]]) -> [UInt8]? {
    func group(_ type: UInt8) -> [[UInt8]] { units.filter { $0.first.map { $0 & 31 } == type } }
    let (sequences, pictures) = (group(7), group(8))
    guard let first = sequences.first, first.count >= 4, sequences.count < 32, pictures.count < 256
    else { return nil }
    return [1, first[1], first[2], first[3], 0xFF, 0xE0 | UInt8(sequences.count)]
      + written(sequences) + [UInt8(pictures.count)] + written(pictures)
  }

  /// ISO/IEC 14496-15, 8.3.3.1. Parallelism, chroma and depth are not repeated here: they are read
  /// from the SPS.
  private static func hvcC(_ units: [[UInt8]]) -> [UInt8]? {
    // H.265, table 7-1: video, sequence and picture parameter sets.
    var (arrays, count): ([UInt8], UInt8) = ([], 0)
    for type in [32, HEVCUnit.sequenceSet, 34] as [UInt8] {
      let sets = units.filter { $0.first.map(HEVCUnit.type) == type }
      guard !sets.isEmpty, sets.count < 256 else { return nil }
      arrays += [0x80 | type, 0, UInt8(sets.count)] + written(sets)
      count += 1
    }
    guard let first = units.first(where: { $0.first.map(HEVCUnit.type) == HEVCUnit.sequenceSet })
    else { return nil }
    // H.265, 7.3.2.2.1 and 7.3.3: after the header and a byte, 12 bytes of `profile_tier_level`.
    let plain = BitReader.plain(first)
    guard plain.count >= 15 else { return nil }
    // Lengths of 4 bytes, as the muxer will write them.
    let head = [1] + Array(plain[3..<15]) + [UInt8](repeating: 0, count: 8)
    return head + [3, count] + arrays
  }

  private static func written(_ units: [[UInt8]]) -> [UInt8] {
    units.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
  }
}

extension ParameterSets {
  /// Whether no set of HEVC takes the place of another: all may stand beside the stream, and
  /// repeated ones be left out.
  var areDistinct: Bool {
    let videos = otherUnits.filter { $0.first.map(HEVCUnit.type) == 32 }
    let pictures = otherUnits.filter { $0.first.map(HEVCUnit.type) == 34 }
    // H.265, 7.3.2.3.1: `pps_pic_parameter_set_id` comes first.
    let ids = pictures.compactMap { unit in
      var bits = BitReader(nalPayload: unit.dropFirst(2), place: "the PPS")
      return try? bits.ue()
    }
    return videos.count <= 1 && sequenceUnits.count == 1 && ids.count == pictures.count
      && Set(ids).count == ids.count
  }
}
