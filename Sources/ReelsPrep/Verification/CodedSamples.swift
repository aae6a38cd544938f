/// What the NAL units of a track's samples are: read from their headers alone.
struct CodedSamples: Sendable {
  /// What picture a sample holds.
  enum Picture: Hashable, Sendable {
    /// Slices of IDR pictures only: decoding can begin here, and nothing after refers to before.
    case instantRefresh
    /// Other slices.
    case other
    /// IDR and other slices in one sample.
    case mixed
    /// No slice at all.
    case none

    init(hasRefresh: Bool, hasOther: Bool) {
      self =
        hasRefresh ? (hasOther ? .mixed : .instantRefresh) : (hasOther ? .other : .none)
    }
  }

  /// More NAL units than 15 minutes hold: a walk over hostile bytes ends here.
  static let maximumUnits = 2_000_000
  private static let maximumSetSize = 4096
  private static let maximumSets = 32
  private static let maximumMessageSize: Int64 = 65_536
  /// As many findings as are kept.
  private static let maximumFaults = 64

  /// In decode order; shorter than the samples where there is a `fault`.
  let pictures: [Picture]
  /// Which NAL unit of each sample is its first slice, counted from 0; -1 where there is none.
  let firstSlices: [Int]
  /// Parameter sets inside samples that differ from those in `avcC` or `hvcC`.
  let inBandSequences: [any VideoSequence]
  /// What is wrong inside samples: pictures that are not whole, or two in one.
  let faults: [MP4Fault]
  /// What messages beside the pictures tell, each kind once.
  let messages: [(trouble: SupplementalMessage.Trouble, location: String)]
  /// The first sample with a B slice, of H.264; nil where there is none.
  let firstBidirectional: Int?
  /// The first sample that is not made of NAL units, and why.
  let fault: (frame: Int, reason: String)?

  init(
    samples: [MP4Sample], sets: ParameterSets, bytes: borrowing FileBytes
  ) {
    var pictures: [Picture] = []
    pictures.reserveCapacity(samples.count)
    var firstSlices: [Int] = []
    var known = Set(sets.sequenceUnits)
    var inBand: [any VideoSequence] = []
    var fault: (Int, String)?
    var unitsLeft = Self.maximumUnits
    var faults: [MP4Fault] = []
    var messages: [(trouble: SupplementalMessage.Trouble, location: String)] = []
    var messageUnits: Set<[UInt8]> = []
    var firstBidirectional: Int?
    let hasPictureTiming = sets.sequences.contains {
      ($0 as? H264SPS)?.vui?.hasPlainPictureTiming == true
    }
    // Two fields may share a sample.
    let mostStarts = sets.sequences.allSatisfy(\.isFrameOnly) ? 1 : 2
    for (frame, sample) in samples.enumerated() {
      do throws(Malformed) {
        let walk = try Self.walk(
          sample, sets: sets, bytes: bytes, unitsLeft: &unitsLeft)
        pictures.append(walk.picture)
        firstSlices.append(walk.firstSlice)
        if walk.isBidirectional, firstBidirectional == nil { firstBidirectional = frame }
        if faults.count < Self.maximumFaults {
          faults += walk.faults(mostStarts: mostStarts).map {
            MP4Fault(found: $0.found, location: "frame \(frame)" + $0.place)
          }
        }
        for (unit, index) in walk.messages
        where messages.count < Self.maximumFaults && messageUnits.insert(unit).inserted {
          for message in SupplementalMessage.messages(ofUnit: unit[...]) {
            let fields: SupplementalMessage.Trouble? =
              hasPictureTiming && message.isOfFields ? .fields : nil
            guard let trouble = fields ?? message.trouble,
              !messages.contains(where: { $0.trouble == trouble })
            else { continue }
            messages.append((trouble, "frame \(frame), NAL unit \(index)"))
          }
        }
        for (unit, index) in walk.sequences where known.count < Self.maximumSets {
          if known.insert(unit).inserted {
            inBand.append(
              try sets.sequence(of: unit, location: "frame \(frame), NAL unit \(index)"))
          }
        }
      } catch {
        fault = (frame, error.sentence)
        break
      }
    }
    self.pictures = pictures
    self.firstSlices = firstSlices
    self.inBandSequences = inBand
    self.fault = fault
    self.faults = faults
    self.messages = messages
    self.firstBidirectional = firstBidirectional
  }

  /// What a sample's units are.
  private struct Walk {
    var hasRefresh = false
    var hasOther = false
    var firstSlice = -1
    /// How many slices begin a picture, and which unit is the second of them.
    var starts = 0
    var secondStart = 0
    var brokenHeader: Int?
    var isBidirectional = false
    var sequences: [([UInt8], Int)] = []
    /// Messages without their unit's header.
    var messages: [([UInt8], Int)] = []

    var picture: Picture { Picture(hasRefresh: hasRefresh, hasOther: hasOther) }

    func faults(mostStarts: Int) -> [(found: String, place: String)] {
      var faults: [(found: String, place: String)] = []
      if let brokenHeader {
        faults.append(("a NAL unit whose first bit is set", ", NAL unit \(brokenHeader)"))
      }
      if picture == .none {
        faults.append(("a sample without a picture", ""))
      } else if starts == 0 {
        faults.append(("a picture without its first slice", ", NAL unit \(firstSlice)"))
      } else if starts > mostStarts {
        faults.append(("\(starts) pictures in one sample", ", NAL unit \(secondStart)"))
      }
      return faults
    }
  }

  private static func walk(
    _ sample: MP4Sample, sets: ParameterSets, bytes: borrowing FileBytes, unitsLeft: inout Int
  ) throws(Malformed) -> Walk {
    let lengthSize = sets.lengthSize
    let headerSize = sets.codec.headerSize
    var walk = Walk()
    var index = 0
    // The table of samples was checked: the sum does not overflow.
    var position = sample.offset
    let end = sample.offset + sample.size
    while position < end {
      guard unitsLeft > 0 else { throw Malformed("more than \(maximumUnits) NAL units") }
      unitsLeft -= 1
      guard end - position > lengthSize else { throw Malformed("its NAL units do not fill it") }
      // With the byte after the unit's header, where a slice says whether it is the first.
      let header = try bytes.read(
        at: position, count: Int(min(end - position, Int64(lengthSize + headerSize + 1))))
      let length = header.prefix(lengthSize).reduce(Int64(0)) { $0 << 8 | Int64($1) }
      position += Int64(lengthSize)
      guard length > 0, length <= end - position else {
        throw Malformed("a NAL unit of \(length) bytes where \(end - position) are left")
      }
      let kind = sets.codec.unit(header[lengthSize])
      switch kind {
      case .otherSlice: walk.hasOther = true
      case .instantRefresh: walk.hasRefresh = true
      case .sequenceSet where length <= Int64(maximumSetSize):
        walk.sequences.append((try bytes.read(at: position, count: Int(length)), index))
      case .message where length <= maximumMessageSize && length > Int64(headerSize):
        walk.messages.append(
          (
            try bytes.read(
              at: position + Int64(headerSize), count: Int(length) - headerSize), index
          ))
      default: break
      }
      if header[lengthSize] & 0x80 != 0, walk.brokenHeader == nil { walk.brokenHeader = index }
      if kind == .otherSlice || kind == .instantRefresh {
        if walk.firstSlice < 0 { walk.firstSlice = index }
        // `first_mb_in_slice` of 0, or `first_slice_segment_in_pic_flag`: one bit that is set.
        if length > Int64(headerSize), header.count > lengthSize + headerSize,
          header[lengthSize + headerSize] & 0x80 != 0
        {
          walk.starts += 1
          // After it `slice_type`: ue(v) of 1 or 6 (7.3.3, table 7-6).
          let byte = header[lengthSize + headerSize]
          if sets.codec == .h264, byte >> 4 & 7 == 0b010 || byte >> 2 & 31 == 0b00111 {
            walk.isBidirectional = true
          }
          if walk.starts == 2 { walk.secondStart = index }
        }
      }
      position += length
      index += 1
    }
    return walk
  }
}
