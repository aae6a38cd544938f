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

  /// In decode order; shorter than the samples where there is a `fault`.
  let pictures: [Picture]
  /// Which NAL unit of each sample is its first slice, counted from 0; -1 where there is none.
  let firstSlices: [Int]
  /// Parameter sets inside samples that differ from those in `avcC` or `hvcC`.
  let inBandSequences: [any VideoSequence]
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
    for (frame, sample) in samples.enumerated() {
      do throws(Malformed) {
        let walk = try Self.walk(
          sample, sets: sets, bytes: bytes, unitsLeft: &unitsLeft)
        pictures.append(walk.picture)
        firstSlices.append(walk.firstSlice)
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
  }

  private static func walk(
    _ sample: MP4Sample, sets: ParameterSets, bytes: borrowing FileBytes, unitsLeft: inout Int
  ) throws(Malformed) -> (picture: Picture, firstSlice: Int, sequences: [([UInt8], Int)]) {
    let lengthSize = sets.lengthSize
    var (hasRefresh, hasOther) = (false, false)
    var sequences: [([UInt8], Int)] = []
    var firstSlice = -1
    var index = 0
    // The table of samples was checked: the sum does not overflow.
    var position = sample.offset
    let end = sample.offset + sample.size
    while position < end {
      guard unitsLeft > 0 else { throw Malformed("more than \(maximumUnits) NAL units") }
      unitsLeft -= 1
      guard end - position > lengthSize else { throw Malformed("its NAL units do not fill it") }
      let header = try bytes.read(at: position, count: lengthSize + 1)
      let length = header.dropLast().reduce(Int64(0)) { $0 << 8 | Int64($1) }
      position += Int64(lengthSize)
      guard length > 0, length <= end - position else {
        throw Malformed("a NAL unit of \(length) bytes where \(end - position) are left")
      }
      switch sets.codec.unit(header[lengthSize]) {
      case .otherSlice: hasOther = true
      case .instantRefresh: hasRefresh = true
      case .sequenceSet where length <= Int64(maximumSetSize):
        sequences.append((try bytes.read(at: position, count: Int(length)), index))
      default: break
      }
      if firstSlice < 0, hasRefresh || hasOther { firstSlice = index }
      position += length
      index += 1
    }
    return (Picture(hasRefresh: hasRefresh, hasOther: hasOther), firstSlice, sequences)
  }
}
