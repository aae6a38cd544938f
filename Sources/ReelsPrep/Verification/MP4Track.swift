import ReelsModel

/// A track: `trak`, with its headers, its sample description and its samples.
struct MP4Track: Sendable {
  /// Counted from 0 in the order of the file.
  let index: Int
  let location: String
  let header: Header
  /// Where an edit list stands.
  let editListLocation: String?
  /// Its parts, as far as they can be read.
  let edits: [Edit]
  /// Ticks a second.
  let timescale: UInt32
  /// What `mdhd` claims; nil where it claims that it does not know.
  let claimedDuration: MediaTime?
  /// ISO 639-2, as in "und".
  let language: String
  /// "vide", "soun", …
  let handler: FourCC
  /// nil where `stsd` is empty.
  let entry: MP4SampleEntry?
  let table: MP4SampleTable
  /// The numbers of the tracks that `tref` names.
  let references: [(number: UInt32, location: String)]
  /// What its tables and references break.
  let faults: [MP4Fault]

  /// A part of an edit list.
  struct Edit: Hashable, Sendable {
    let duration: MediaTime
    /// In ticks of the media; nil shows nothing.
    let mediaTime: Int64?
  }

  /// `tkhd`.
  struct Header: Sendable {
    let location: String
    let number: UInt32
    let isEnabled: Bool
    /// Whether sound is turned off: a volume of zero.
    let isMuted: Bool
    /// nil where it claims that it does not know.
    let claimedDuration: MediaTime?
    let matrix: MP4Matrix
    /// 16.16 fixed point.
    let width: UInt32
    let height: UInt32
  }

  init(
    box: MP4Box, index: Int, movieTimescale: UInt32, samplesLeft: inout Int
  ) throws(Malformed) {
    let children = try box.children()
    guard let tkhd = children.first(where: { $0.type == "tkhd" }),
      let mdia = children.first(where: { $0.type == "mdia" })
    else { throw Malformed("\(box.location) has no tkhd or no mdia box") }
    self.index = index
    self.location = box.location
    self.header = try Self.header(tkhd, movieTimescale: movieTimescale)
    if let edts = children.first(where: { $0.type == "edts" }) {
      let list = try edts.children().first
      self.editListLocation = list?.location ?? edts.location
      self.edits = list.flatMap { try? Self.edits($0, movieTimescale: movieTimescale) } ?? []
    } else {
      (self.editListLocation, self.edits) = (nil, [])
    }

    var reader = try mdia.child("mdhd").reader
    let wide = try reader.u8() == 1
    try reader.skip(wide ? 3 + 16 : 3 + 8)
    self.timescale = try reader.u32()
    let duration = wide ? try reader.u64() : UInt64(try reader.u32())
    self.claimedDuration = MP4Movie.time(duration, timescale: timescale, wide: wide)
    let packed = try reader.u16()
    self.language = String(
      String.UnicodeScalarView(
        [10, 5, 0].map { shift in
          let letter = UInt8(truncatingIfNeeded: packed >> shift & 31)
          return (1...26).contains(letter) ? Unicode.Scalar(letter + 0x60) : "?"
        }))

    reader = try mdia.child("hdlr").reader
    try reader.skip(8)
    self.handler = FourCC(rawValue: try reader.u32())

    let minf = try mdia.child("minf")
    let stbl = try minf.child("stbl")
    self.entry = try MP4SampleEntry(first: try stbl.child("stsd"), handler: handler)
    self.table = try MP4SampleTable(
      box: stbl, isExpanded: handler == "vide" || handler == "soun", samplesLeft: &samplesLeft)
    var faults = table.faults
    if let highest = table.highestDescription, let entry,
      highest.number > entry.entryCount || highest.number == 0
    {
      faults.append(
        MP4Fault(
          found: "sample description \(highest.number) of \(entry.entryCount)",
          location: highest.location))
    }
    self.references = try Self.references(children)
    let kinds = Set(try minf.children().map(\.type))
    // 8.4.4 and 8.7.1: a header of the track's kind, and where its samples are.
    let header: FourCC? = handler == "vide" ? "vmhd" : handler == "soun" ? "smhd" : nil
    for kind in [header, "dinf"].compactMap({ $0 }) where header != nil && !kinds.contains(kind) {
      faults.append(MP4Fault(found: "no \(kind) box", location: minf.location))
    }
    if let other = try Self.otherFile(minf) {
      faults.append(MP4Fault(found: "samples in another file", location: other))
    }
    self.faults = faults
  }

  /// 8.3.3: boxes of track numbers.
  private static func references(
    _ children: [MP4Box]
  ) throws(Malformed) -> [(number: UInt32, location: String)] {
    var numbers: [(number: UInt32, location: String)] = []
    for list in try children.filter({ $0.type == "tref" }).first?.children() ?? [] {
      var reader = list.reader
      while reader.remaining >= 4, numbers.count < MP4Movie.maximumTracks {
        numbers.append((try reader.u32(), list.location))
      }
    }
    return numbers
  }

  /// Where `dref` names a file beside this one: 8.7.2, no flag that says "the same file".
  private static func otherFile(_ minf: MP4Box) throws(Malformed) -> String? {
    guard let dinf = try minf.children().first(where: { $0.type == "dinf" }),
      let dref = try dinf.children().first(where: { $0.type == "dref" })
    else { return nil }
    for entry in try dref.children(after: 8) {
      guard let flags = entry.payload.dropFirst(3).first, flags & 1 == 1 else {
        return entry.location
      }
    }
    return nil
  }

  var isVideo: Bool { handler == "vide" }
  var isAudio: Bool { handler == "soun" }

  /// Seconds of one tick; nil for a timescale of zero.
  var timeBase: Ratio? { Ratio(1, over: Int64(timescale)) }

  /// A time of this track's clock; nil for a timescale of zero.
  func time(_ ticks: Int64) -> MediaTime? {
    timeBase.map { MediaTime(ticks: ticks, timeBase: $0) }
  }

  /// ISO/IEC 14496-12, 8.6.6: a media time of -1 is an empty edit.
  private static func edits(
    _ elst: MP4Box, movieTimescale: UInt32
  ) throws(Malformed) -> [Edit] {
    guard let tick = Ratio(1, over: Int64(movieTimescale)) else { return [] }
    var reader = elst.reader
    let wide = try reader.u8() == 1
    try reader.skip(3)
    var edits: [Edit] = []
    for _ in 0..<(try reader.count(ofEntriesOf: wide ? 20 : 12)) {
      let duration = wide ? Int64(clamping: try reader.u64()) : Int64(try reader.u32())
      let time = wide ? Int64(bitPattern: try reader.u64()) : Int64(try reader.i32())
      try reader.skip(4)
      edits.append(
        Edit(
          duration: MediaTime(ticks: duration, timeBase: tick), mediaTime: time >= 0 ? time : nil))
    }
    return edits
  }

  private static func header(
    _ tkhd: MP4Box, movieTimescale: UInt32
  ) throws(Malformed) -> Header {
    var reader = tkhd.reader
    let wide = try reader.u8() == 1
    try reader.skip(2)
    let flags = try reader.u8()
    // Creation and modification time.
    try reader.skip(wide ? 16 : 8)
    let number = try reader.u32()
    try reader.skip(4)
    let duration = wide ? try reader.u64() : UInt64(try reader.u32())
    // Reserved, layer, group.
    try reader.skip(12)
    let volume = try reader.u16()
    try reader.skip(2)
    return Header(
      location: tkhd.location, number: number, isEnabled: flags & 1 == 1, isMuted: volume == 0,
      claimedDuration: MP4Movie.time(duration, timescale: movieTimescale, wide: wide),
      matrix: try MP4Matrix(reading: &reader), width: try reader.u32(), height: try reader.u32())
  }
}
