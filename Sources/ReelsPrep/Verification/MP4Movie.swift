import ReelsModel

/// The movie box: `moov`, with `mvhd` and every track.
struct MP4Movie: Sendable {
  /// More tracks than any real file has.
  static let maximumTracks = 100
  /// The most samples of all tracks together whose tables are expanded, about 48 MB.
  static let maximumSamples = 1 << 20

  /// What `mvhd` claims; nil where it claims that it does not know.
  let claimedDuration: MediaTime?
  let matrix: MP4Matrix
  let headerLocation: String
  let tracks: [MP4Track]
  /// Where `mvex` announces fragments.
  let fragmentsLocation: String?
  /// What `udta`, `meta`, `uuid` and foreign boxes hold, those of the tracks included.
  let metadata: [MP4Metadata.Item]
  /// Numbers of tracks that are not told apart, and a speed that is not 1.
  let faults: [MP4Fault]

  init(box: MP4Box) throws(Malformed) {
    let children = try box.children()
    guard let mvhd = children.first(where: { $0.type == "mvhd" }) else {
      throw Malformed("\(box.location) has no mvhd box")
    }
    var reader = mvhd.reader
    let wide = try reader.u8() == 1
    try reader.skip(wide ? 3 + 16 : 3 + 8)
    let timescale = try reader.u32()
    let duration = wide ? try reader.u64() : UInt64(try reader.u32())
    let rate = try reader.u32()
    // Volume and reserved fields.
    try reader.skip(12)
    self.matrix = try MP4Matrix(reading: &reader)
    self.claimedDuration = MP4Movie.time(duration, timescale: timescale, wide: wide)
    self.headerLocation = mvhd.location
    self.fragmentsLocation = children.first { $0.type == "mvex" }?.location

    var tracks: [MP4Track] = []
    var faults: [MP4Fault] = []
    // 8.2.2: 16.16 fixed point.
    if rate != 1 << 16 {
      faults.append(MP4Fault(found: "a speed that is not 1", location: mvhd.location))
    }
    var samplesLeft = Self.maximumSamples
    var numbers: Set<UInt32> = [0]
    for child in children where child.type == "trak" {
      guard tracks.count < Self.maximumTracks else {
        throw Malformed("\(box.location) has more than \(Self.maximumTracks) tracks")
      }
      let track = try MP4Track(
        box: child, index: tracks.count, movieTimescale: timescale, samplesLeft: &samplesLeft)
      // 8.3.2: never zero, and each its own.
      if !numbers.insert(track.header.number).inserted {
        let what = track.header.number == 0 ? "which is none" : "as another track"
        faults.append(
          MP4Fault(
            found: "track number \(track.header.number), \(what)", location: track.header.location))
      }
      tracks.append(track)
    }
    self.tracks = tracks
    self.faults = faults + tracks.flatMap(\.faults)
    self.metadata = try MP4Foreign.items(inMovie: box)
  }

  /// A claimed duration; nil for all ones ("unknown") and for a timescale of zero.
  static func time(_ ticks: UInt64, timescale: UInt32, wide: Bool) -> MediaTime? {
    guard ticks != (wide ? UInt64.max : UInt64(UInt32.max)),
      let timeBase = Ratio(1, over: Int64(timescale))
    else { return nil }
    return MediaTime(ticks: Int64(clamping: ticks), timeBase: timeBase)
  }
}

/// The nine numbers of a display matrix, as stored: 16.16 fixed point, the last column 2.30.
struct MP4Matrix: Hashable, Sendable {
  let values: [Int32]

  static let identity = MP4Matrix(values: [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000])

  private init(values: [Int32]) { self.values = values }

  init(reading reader: inout ByteReader) throws(Malformed) {
    var values: [Int32] = []
    for _ in 0..<9 { values.append(try reader.i32()) }
    self.values = values
  }

  /// What the matrix does to the picture, in words.
  var effect: String {
    if self == .identity { return "upright" }
    let part = { (index: Int) in Double(values[index]) / 65536 }
    let orientation = Orientation(a: part(0), b: part(1), c: part(3), d: part(4))
    return orientation == .upright ? "a matrix that is not the identity" : "\(orientation)"
  }
}
