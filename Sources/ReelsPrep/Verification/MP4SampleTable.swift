/// A sample: when it is decoded and shown, and where its bytes are.
struct MP4Sample: Hashable, Sendable {
  /// In ticks of the track, as the two below.
  let decodeTime: Int64
  let duration: Int64
  let compositionTime: Int64
  /// In bytes of the file.
  let offset: Int64
  let size: Int64
  let isSync: Bool

  var end: Int64 { compositionTime + duration }
}

/// The samples of a track in decode order, from `stts`, `ctts`, `stss`, `stsz`, `stsc` and `stco`.
struct MP4SampleTable: Sendable {
  let location: String
  let sampleCount: Int
  /// nil where there are more than are read, or the track is neither video nor sound.
  let samples: [MP4Sample]?
  /// Of all chunks the highest number of a sample description; zero where one is zero.
  let highestDescription: (number: Int, location: String)?
  /// What the tables break, without contradicting each other.
  let faults: [MP4Fault]
  /// Whether the times cannot be told: `ctts` ends before the samples do.
  let isTimeless: Bool

  /// Expands the tables, at most `samplesLeft` samples, which it counts down.
  ///
  /// - Throws: `Malformed` where the tables contradict each other.
  init(box: MP4Box, isExpanded: Bool, samplesLeft: inout Int) throws(Malformed) {
    let children = try box.children()
    let find = { (types: [FourCC]) in children.first { types.contains($0.type) } }
    guard let sizeBox = find(["stsz", "stz2"]), let timeBox = find(["stts"]),
      let runBox = find(["stsc"]), let chunkBox = find(["stco", "co64"])
    else {
      throw Malformed("\(box.location) lacks one of stts, stsz, stsc and stco")
    }
    self.location = box.location
    let sizes = try SampleSizes(box: sizeBox, atMost: isExpanded ? samplesLeft : 0)
    self.sampleCount = sizes.count
    guard isExpanded, sizes.count <= samplesLeft else {
      self.samples = nil
      (highestDescription, faults, isTimeless) = (nil, [], false)
      return
    }
    samplesLeft -= sizes.count

    let durations = try Self.runs(timeBox, of: sizes.count)
    guard durations.reduce(0, { $0 &+ $1.count }) == sizes.count else {
      throw Malformed("\(timeBox.location) does not time \(sizes.count) samples")
    }
    let offsets = try find(["ctts"]).map { (box) throws(Malformed) in
      try Self.runs(box, of: sizes.count)
    }
    let sync = try find(["stss"]).map { (box) throws(Malformed) in
      try Self.syncSamples(box, of: sizes.count)
    }
    let (positions, descriptions) = try Self.positions(
      sizes: sizes, runs: runBox, chunks: chunkBox)
    self.highestDescription = (descriptions, runBox.location)
    var faults: [MP4Fault] = []
    if let box = find(["stss"]), let sync {
      // 8.6.2: samples count from 1.
      if let number = sync.lazy.filter({ $0 == 0 || $0 > sizes.count }).max() {
        faults.append(
          MP4Fault(found: "sync sample \(number) of \(sizes.count)", location: box.location))
      }
    }
    if let box = find(["stss"]), try !Self.isAscending(box) {
      faults.append(MP4Fault(found: "sync samples out of order", location: box.location))
    }
    var isTimeless = false
    if let box = find(["ctts"]), let offsets {
      let covered = offsets.reduce(0) { $0 &+ $1.count }
      if covered < sizes.count {
        isTimeless = true
        faults.append(
          MP4Fault(
            found: "times of \(covered) of \(sizes.count) samples", location: box.location))
      }
      // 8.6.1.3: signed in version 1 alone.
      if box.payload.first == 0, offsets.contains(where: { $0.value < 0 }) {
        faults.append(
          MP4Fault(found: "negative offsets in version 0 of ctts", location: box.location))
      }
    }
    if let empty = (0..<sizes.count).first(where: { sizes[$0] == 0 }) {
      faults.append(
        MP4Fault(found: "a sample of no bytes", location: "sample \(empty) of \(box.location)"))
    }
    self.faults = faults
    self.isTimeless = isTimeless

    var samples: [MP4Sample] = []
    samples.reserveCapacity(sizes.count)
    var durationRun = RunCursor(runs: durations)
    var offsetRun = RunCursor(runs: offsets ?? [])
    var decodeTime: Int64 = 0
    for index in 0..<sizes.count {
      // Unsigned in the standard; at most 2²⁰ of them, so that no sum overflows.
      let duration = Int64(UInt32(bitPattern: durationRun.next()))
      // Signed in version 1, and in version 0 as files are written.
      let shift = Int64(offsetRun.next())
      samples.append(
        MP4Sample(
          decodeTime: decodeTime, duration: duration, compositionTime: decodeTime + shift,
          offset: positions[index], size: Int64(sizes[index]),
          isSync: sync?.contains(UInt32(index + 1)) ?? true))
      decodeTime += duration
    }
    self.samples = samples
  }

  private static func runs(_ box: MP4Box, of samples: Int) throws(Malformed) -> [Run] {
    var reader = box.reader
    try reader.skip(4)
    let count = try reader.count(ofEntriesOf: 8)
    guard count <= samples else {
      throw Malformed("\(box.location) holds \(count) entries for \(samples) samples")
    }
    var runs: [Run] = []
    for _ in 0..<count {
      runs.append(Run(count: Int(try reader.u32()), value: try reader.i32()))
    }
    return runs
  }

  private static func syncSamples(
    _ box: MP4Box, of samples: Int
  ) throws(Malformed) -> Set<UInt32> {
    var reader = box.reader
    try reader.skip(4)
    let count = try reader.count(ofEntriesOf: 4)
    guard count <= samples else {
      throw Malformed("\(box.location) holds \(count) entries for \(samples) samples")
    }
    var numbers: Set<UInt32> = []
    for _ in 0..<count { numbers.insert(try reader.u32()) }
    return numbers
  }

  private static func isAscending(_ box: MP4Box) throws(Malformed) -> Bool {
    var reader = box.reader
    try reader.skip(8)
    var last: UInt32 = 0
    while reader.remaining >= 4 {
      let number = try reader.u32()
      // Zero and what is too high is told apart.
      if number <= last, number != 0 { return false }
      last = max(last, number)
    }
    return true
  }

  /// The offset of every sample, and the highest number of a sample description, or zero.
  private static func positions(
    sizes: SampleSizes, runs runBox: MP4Box, chunks chunkBox: MP4Box
  ) throws(Malformed) -> ([Int64], descriptions: Int) {
    var reader = runBox.reader
    try reader.skip(4)
    var runs: [(firstChunk: Int, samples: Int)] = []
    let runCount = try reader.count(ofEntriesOf: 12)
    guard runCount <= sizes.count else {
      throw Malformed("\(runBox.location) holds \(runCount) entries for \(sizes.count) samples")
    }
    var descriptions: [Int] = []
    for _ in 0..<runCount {
      runs.append((Int(try reader.u32()), Int(try reader.u32())))
      descriptions.append(Int(try reader.u32()))
    }
    let isWide = chunkBox.type == "co64"
    var chunks = chunkBox.reader
    try chunks.skip(4)
    let chunkCount = try chunks.count(ofEntriesOf: isWide ? 8 : 4)

    var positions: [Int64] = []
    positions.reserveCapacity(sizes.count)
    var run = 0
    for chunk in 1...max(chunkCount, 1) where chunkCount > 0 {
      while run + 1 < runs.count, runs[run + 1].firstChunk <= chunk { run += 1 }
      guard run < runs.count, runs[run].firstChunk <= chunk else {
        throw Malformed("\(runBox.location) says nothing of chunk \(chunk)")
      }
      guard
        var offset = Int64(exactly: isWide ? try chunks.u64() : UInt64(try chunks.u32()))
      else { throw Malformed("\(chunkBox.location) points beyond any file") }
      for _ in 0..<min(runs[run].samples, sizes.count - positions.count) {
        positions.append(offset)
        let (next, overflow) = offset.addingReportingOverflow(Int64(sizes[positions.count - 1]))
        guard !overflow else { throw Malformed("\(chunkBox.location) points beyond any file") }
        offset = next
      }
    }
    guard positions.count == sizes.count else {
      throw Malformed("\(runBox.location) places \(positions.count) of \(sizes.count) samples")
    }
    return (positions, descriptions.contains(0) ? 0 : descriptions.max() ?? 1)
  }
}

/// A run of samples with one value, as `stts` and `ctts` store them.
private struct Run {
  let count: Int
  let value: Int32
}

/// Reads runs sample by sample; after the last run the value is 0.
private struct RunCursor {
  private let runs: [Run]
  private var index = 0
  private var used = 0

  init(runs: [Run]) { self.runs = runs }

  mutating func next() -> Int32 {
    while index < runs.count, used >= runs[index].count { (index, used) = (index + 1, 0) }
    guard index < runs.count else { return 0 }
    used += 1
    return runs[index].value
  }
}

/// `stsz` or `stz2`.
private struct SampleSizes {
  let count: Int
  private let common: UInt32
  private let table: [UInt32]

  /// Holds no sizes where there are more than `limit`.
  init(box: MP4Box, atMost limit: Int) throws(Malformed) {
    var reader = box.reader
    try reader.skip(4)
    var table: [UInt32] = []
    if box.type == "stsz" {
      self.common = try reader.u32()
      if common != 0 {
        self.count = Int(try reader.u32())
      } else {
        self.count = try reader.count(ofEntriesOf: 4)
        if count <= limit {
          for _ in 0..<count { table.append(try reader.u32()) }
        }
      }
    } else {
      self.common = 0
      try reader.skip(3)
      let width = Int(try reader.u8())
      self.count = Int(try reader.u32())
      guard [4, 8, 16].contains(width), count * width <= reader.remaining * 8 else {
        throw Malformed("\(box.location) claims \(count) entries of \(width) bits")
      }
      while count <= limit, table.count < count {
        switch width {
        case 16: table.append(UInt32(try reader.u16()))
        case 8: table.append(UInt32(try reader.u8()))
        default:
          let pair = try reader.u8()
          table.append(UInt32(pair >> 4))
          if table.count < count { table.append(UInt32(pair & 15)) }
        }
      }
    }
    self.table = table
  }

  subscript(index: Int) -> UInt32 { common != 0 ? common : table[index] }
}
