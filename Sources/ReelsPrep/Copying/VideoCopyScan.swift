internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Whether the packets of a window can be taken as they are: read from the bitstream, not from what the
/// container says of it.
struct VideoCopyScan {
  let input: FilePath
  let codec: ParameterSets.Codec
  let video: VideoPlan
  let limits: Preset.Limits
  let interrupt: Interrupt

  struct Found: Hashable, Sendable {
    var copy: VideoCopy
    /// In the second that has the most, in the order of decoding.
    var peakBytes: Int
  }

  /// What was read of a packet.
  struct Entry: Hashable, Sendable {
    var pts: MediaTime
    var dts: MediaTime
    var bytes: Int
    var isKey: Bool
    var picture: CodedSamples.Picture
    /// How many of its slices begin a picture.
    var starts: Int
  }

  private typealias Obstacle = CopyDecision.Obstacle

  func scan() throws(CopyLadder.Stop) -> Found {
    let window: Window
    do throws(FFmpegError) {
      window = try read()
    } catch {
      throw .failed(error)
    }
    do throws(Obstacle) {
      if let obstacle = window.obstacle { throw obstacle }
      let sets = try parameterSets(window.configuration)
      let peak = peak(window.entries)
      let addsTags = try check(
        sets,
        demand: BitDemand(bytes: window.entries.map(\.bytes), frameRate: video.frameRate))
      try checkCut(window)
      let order = try order(of: window.entries)
      try checkGOPs(window.entries, order: order)
      let delay = window.entries.indices.map { $0 - order[$0] }.max() ?? 0
      try checkReordering(sets, order)
      return Found(
        copy: VideoCopy(
          delay: max(0, delay), bytes: window.entries.reduce(0) { $0 + Int64($1.bytes) },
          keys: window.entries.filter(\.isKey).map { EntryPoint(pts: $0.pts, dts: $0.dts) },
          addsColorTags: addsTags),
        peakBytes: peak)
    } catch {
      throw .obstacle(error)
    }
  }

  // MARK: Packets

  private struct Window {
    var configuration: [UInt8] = []
    /// As in transport streams: the muxer writes lengths in their place.
    var hasStartCodes = false
    /// In the order of decoding, as many as the output has frames, or fewer.
    var entries: [Entry] = []
    /// Whether a frame that is decoded later is shown before the last of them.
    var isTorn = false
    var obstacle: Obstacle?
  }

  /// Frames decoded later than this are shown later: a second, as everywhere.
  private static let reorderSeconds = MediaTime(seconds: 1)

  private func read() throws(FFmpegError) -> Window {
    guard let entry = video.ranges.first?.entry else { return Window() }
    var reader = try PacketReader.open(
      input, stream: video.stream, at: entry.pts <= video.origin ? nil : entry.dts,
      clock: video.sourceClock, interrupt: interrupt, decoding: false)
    var window = Window()
    window.configuration = try reader.demuxer.parameters(of: video.stream).configuration
    if window.configuration.first != 1 {
      guard let configuration = StartCodeSets.configuration(of: window.configuration, codec) else {
        window.obstacle = Obstacle(
          .container, "its \(codec == .h264 ? "H.264" : "HEVC") has no parameter sets apart")
        return window
      }
      window.configuration = configuration
      window.hasStartCodes = true
    }
    let sets: ParameterSets
    do throws(Obstacle) {
      sets = try parameterSets(window.configuration)
    } catch {
      window.obstacle = error
      return window
    }
    let known = sets.units
    let lengths = window.hasStartCodes ? nil : UnitLengths(size: sets.lengthSize)
    var last = MediaTime.zero
    while let packet = try reader.next() {
      guard let time = reader.time(of: packet) else {
        window.obstacle = Obstacle(.constantFrameRate, "a frame has no time")
        return window
      }
      if window.entries.isEmpty, time < video.start { continue }
      let dts = packet.dts.map { MediaTime(ticks: $0, timeBase: reader.timeBase) } ?? time
      if window.entries.count == video.frames {
        if time < last { window.isTorn = true }
        if dts > last + Self.reorderSeconds { break }
        continue
      }
      if packet.isCorrupt {
        window.obstacle = Obstacle(.decodable, "a packet is damaged")
        return window
      }
      if packet.isDiscarded || packet.changesConfiguration {
        window.obstacle = Obstacle(
          .videoCodec,
          packet.isDiscarded
            ? "frames are hidden by an edit list" : "its parameter sets change")
        return window
      }
      let look = look(at: Self.units(of: packet.bytes, lengths))
      if let trouble = look.trouble {
        window.obstacle = Self.obstacle(trouble)
        return window
      }
      // An `hvc1` has its sets beside the stream alone (ISO/IEC 14496-15, 8.4.1): repeated ones are
      // left out, so each has to hold for the whole stream.
      if let repeated = look.sets,
        !repeated.isSubset(of: known) || (codec == .hevc && !sets.areDistinct)
      {
        window.obstacle = Obstacle(.videoCodec, "its parameter sets change")
        return window
      }
      window.entries.append(
        Entry(
          pts: time, dts: dts, bytes: packet.byteCount, isKey: packet.isKey,
          picture: look.picture, starts: look.starts))
      last = max(last, time)
    }
    return window
  }

  /// A picture of slices as small as a macroblock, at 4K.
  private static let maximumUnits = 40_000

  private static func units(of bytes: [UInt8], _ lengths: UnitLengths?) -> [ArraySlice<UInt8>]? {
    guard let lengths else { return StartCodes.units(of: bytes).map { $0[...] } }
    return lengths.units(of: bytes)?.map { bytes[$0] }
  }

  private func look(
    at units: [ArraySlice<UInt8>]?
  ) -> Look {
    guard let units, units.count <= Self.maximumUnits else { return Look() }
    var (hasRefresh, hasOther) = (false, false)
    var sets: Set<[UInt8]> = []
    var look = Look()
    for unit in units {
      let kind = unit.first.map { codec.unit($0) } ?? .other
      switch kind {
      case .otherSlice, .instantRefresh:
        if kind == .otherSlice { hasOther = true } else { hasRefresh = true }
        if unit.dropFirst(codec.headerSize).first.map({ $0 & 0x80 != 0 }) == true {
          look.starts += 1
        }
      case .message where unit.count <= Self.maximumMessageSize:
        let messages = SupplementalMessage.messages(ofUnit: unit.dropFirst(codec.headerSize))
        look.trouble = look.trouble ?? messages.lazy.compactMap(\.trouble).first
      // Repeated sets are as good as those beside the stream, others are not.
      case .sequenceSet, .otherSet: sets.insert(Array(unit))
      case .message, .other: break
      }
    }
    look.picture = CodedSamples.Picture(hasRefresh: hasRefresh, hasOther: hasOther)
    look.sets = sets.isEmpty ? nil : sets
    return look
  }

  /// What the units of a packet are.
  private struct Look {
    var picture = CodedSamples.Picture.none
    var starts = 0
    var sets: Set<[UInt8]>?
    /// What a message beside the picture breaks.
    var trouble: SupplementalMessage.Trouble?
  }

  private static let maximumMessageSize = 65_536

  private static func obstacle(_ trouble: SupplementalMessage.Trouble) -> Obstacle {
    switch trouble {
    case .text: Obstacle(.metadata, "its stream holds text beside the pictures")
    case .orientation(let what): Obstacle(.upright, "its picture is \(what)")
    case .fields: Obstacle(.progressive, "its stream says that its pictures are two fields")
    case .color(let what): Obstacle(.colorTags, "its stream tells of \(what)")
    }
  }

  // MARK: Parameter sets

  private func parameterSets(_ configuration: [UInt8]) throws(Obstacle) -> ParameterSets {
    do throws(Malformed) {
      switch codec {
      case .h264:
        return try ParameterSets(
          avcC: MP4Box(type: "avcC", offset: 0, headerSize: 0, payload: configuration))
      case .hevc:
        return try ParameterSets(
          hvcC: MP4Box(type: "hvcC", offset: 0, headerSize: 0, payload: configuration))
      }
    } catch {
      throw Obstacle(.videoProfile, "its parameter sets cannot be read: \(error.sentence)")
    }
  }

  /// - Returns: whether colour tags have to be added.
  private func check(
    _ sets: ParameterSets, demand: BitDemand
  ) throws(Obstacle) -> Bool {
    var isUntagged = false
    for set in sets.sequences {
      try checkCoding(set, sets, demand)
      guard set.isFrameOnly else { throw Obstacle(.progressive, "it is coded for fields") }
      guard set.size == video.geometry.canvas else {
        throw Obstacle(.frameSize, "\(set.size) becomes \(video.geometry.canvas)")
      }
      if let aspect = set.pixelAspect, aspect != Ratio(1) {
        throw Obstacle(.squarePixels, "pixels of \(aspect) become square")
      }
      if set.color != .bt709 {
        guard set.color.isUntagged, codec == .h264 else {
          throw Obstacle(.colorTags, "its colours are not tagged as BT.709, limited range")
        }
        isUntagged = true
      }
    }
    if sets.sliceGroupsLocation != nil {
      throw Obstacle(.videoProfile, "flexible macroblock ordering is not decoded by phones")
    }
    return isUntagged
  }

  private func checkCoding(
    _ set: any VideoSequence, _ sets: ParameterSets, _ demand: BitDemand
  ) throws(Obstacle) {
    let name = set.profileName
    let isBaseline = name == "Constrained Baseline" && Judge.holds(profiles, "Baseline")
    guard Judge.holds(profiles, name) || isBaseline, set.profileNumber == sets.profileNumber else {
      throw Obstacle(.videoProfile, "profile \(name) is not copied")
    }
    guard name != "Baseline" else {
      throw Obstacle(
        .videoProfile, "plain Baseline may have its slices in any order, which phones refuse")
    }
    guard set.levelNumber == sets.levelNumber, let level = set.levelName else {
      throw Obstacle(.videoLevel, "level_idc \(set.levelNumber) is not known")
    }
    if !set.isLevelCommon {
      throw Obstacle(.videoLevel, "level \(level) is above what phones decode")
    }
    if let shortfall = set.levelShortfall(frameRate: video.frameRate, demand: demand) {
      throw Obstacle(.videoLevel, "it claims level \(level) with \(shortfall)")
    }
    guard set.chromaFormat == 1, set.lumaBitDepth == 8, set.chromaBitDepth == 8 else {
      throw Obstacle(.pixelFormat, "it is not 8-bit 4:2:0")
    }
  }

  private var profiles: [String] { limits.videoProfiles.value }

  // MARK: Order and time

  private func checkCut(_ window: Window) throws(Obstacle) {
    guard let first = window.entries.first, first.pts == video.start, first.isKey,
      first.picture == .instantRefresh
    else {
      throw Obstacle(.closedGOP, "the start is no key frame at which decoding can begin")
    }
    guard window.entries.count == video.frames else {
      throw Obstacle(.constantFrameRate, "the source has gaps, or not enough frames")
    }
    guard !window.isTorn else {
      throw Obstacle(
        .window, "the cut at the end would part frames that are decoded in another order")
    }
  }

  /// contract.md, "Copying".
  private static let tolerance = MediaTime(seconds: Ratio(1, 1_000))

  /// The places of the packets, in the order of decoding: each the next frame's, within 1 ms.
  private func order(of entries: [Entry]) throws(Obstacle) -> [Int] {
    let clock = video.clock
    let places = entries.map { clock.place(of: $0.pts) }
    guard places.sorted().elementsEqual(0..<video.frames) else {
      throw Obstacle(.constantFrameRate, "its frames do not come at a constant rate")
    }
    for (entry, place) in zip(entries, places) {
      let exact = video.start + MediaTime(seconds: Ratio(Int64(place)) / video.frameRate)
      let off = entry.pts - exact
      guard max(off, .zero - off) <= Self.tolerance else {
        throw Obstacle(.constantFrameRate, "its frames do not come within 1 ms of a constant rate")
      }
    }
    return places
  }

  /// More frames out of order than the stream says would be shown too early.
  private func checkReordering(_ sets: ParameterSets, _ order: [Int]) throws(Obstacle) {
    guard let most = sets.sequences.compactMap(\.reorderFrames).min() else { return }
    for index in order.indices {
      let before = order[max(0, index - 32)..<index].reduce(0) {
        $0 + ($1 > order[index] ? 1 : 0)
      }
      if before > most {
        throw Obstacle(
          .videoLevel, "\(before) frames come out of order where its VUI says \(most)")
      }
    }
  }

  private func checkGOPs(_ entries: [Entry], order: [Int]) throws(Obstacle) {
    var earliestAfter = [Int](repeating: .max, count: entries.count + 1)
    for index in entries.indices.reversed() {
      earliestAfter[index] = min(earliestAfter[index + 1], order[index])
    }
    var latestBefore = -1
    var start = 0
    let longest = Ratio(approximating: limits.gopSecondsMaximum.value)
    let frames = { (count: Int) in Ratio(Int64(count)) / video.frameRate }
    for (index, entry) in entries.enumerated() {
      switch entry.picture {
      case .none, .mixed: throw Obstacle(.container, "a frame's data cannot be read")
      case .other, .instantRefresh: break
      }
      if entry.starts != 1 {
        throw Obstacle(.container, "a frame is not one whole picture")
      }
      if entry.isKey {
        guard entry.picture == .instantRefresh, earliestAfter[index + 1] > order[index],
          latestBefore < order[index]
        else { throw Obstacle(.closedGOP, "its GOPs are open") }
        if frames(order[index] - start) > longest { throw tooLong(frames(order[index] - start)) }
        start = order[index]
      }
      latestBefore = max(latestBefore, order[index])
    }
    if frames(entries.count - start) > longest { throw tooLong(frames(entries.count - start)) }
  }

  private func tooLong(_ seconds: Ratio) -> Obstacle {
    let length = MediaTime(seconds: seconds).decimals(1)
    return Obstacle(
      .closedGOP, "a GOP of \(length) s is longer than \(Int(limits.gopSecondsMaximum.value)) s")
  }

  private func peak(_ entries: [Entry]) -> Int {
    let second = Int(video.frameRate.ceiling)
    var (sum, most) = (0, 0)
    for index in entries.indices {
      sum += entries[index].bytes
      if index >= second { sum -= entries[index - second].bytes }
      most = max(most, sum)
    }
    return most
  }
}

extension ColorDescription {
  /// Nothing is said of the colours, and the range is not said to be full.
  var isUntagged: Bool {
    primaries == .unspecified && transfer == .unspecified && matrix == .unspecified
      && range != .full
  }
}
