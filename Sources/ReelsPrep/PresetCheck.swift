import ReelsModel

/// Whether the limits of a preset agree with themselves and with each other.
enum PresetCheck {
  /// What is wrong, each with the path of the key; empty for a sound preset.
  static func problems(in preset: Preset) -> [String] {
    var check = Findings(sources: preset.sources)
    check.head(of: preset)
    check.limits(of: preset.limits)
    return check.problems
  }

  private struct Findings {
    let sources: [String: Preset.Source]
    var problems: [String] = []

    init(sources: [String: Preset.Source]) { self.sources = sources }

    mutating func head(of preset: Preset) {
      require(!preset.name.isEmpty, "name: must not be empty")
      require(!preset.destination.isEmpty, "destination: must not be empty")
      require(preset.revision >= 1, "revision: is \(preset.revision); it must be 1 or more")
      date(preset.source.date, "source")
      for (key, source) in preset.sources.sorted(by: { $0.key < $1.key }) {
        date(source.date, "sources.\(key)")
      }
    }

    mutating func limits(of limits: Preset.Limits) {
      bounds(limits.durationSeconds, "durationSeconds", from: 0)
      positive(limits.fileBytesBelow, "fileBytesBelow")
      list(limits.videoCodecs, "videoCodecs")
      source(limits.copiedVideoCodecs, "copiedVideoCodecs")
      let others = limits.copiedVideoCodecs.value.filter { $0 != "h264" && $0 != "hevc" }
      require(
        others.isEmpty,
        "limits.copiedVideoCodecs.value: names \(others.first ?? ""); h264 and hevc can be copied")
      list(limits.videoProfiles, "videoProfiles")
      bounds(limits.frameRate, "frameRate", from: 1)
      size(limits.canvas, "canvas")
      if let least = limits.leastSize { size(least, "leastSize") }
      positive(limits.columnsMaximum, "columnsMaximum")
      bounds(limits.aspect, "aspect", from: 0)
      positive(limits.gopSecondsMaximum, "gopSecondsMaximum")
      positive(limits.peakBitsPerSecond, "peakBitsPerSecond")
      list(limits.audioCodecs, "audioCodecs")
      positive(limits.audioSampleRateMaximum, "audioSampleRateMaximum")
      bounds(limits.audioChannels, "audioChannels", from: 1)
      positive(limits.audioBitsPerSecond, "audioBitsPerSecond")
      source(limits.editListsAllowed, "editListsAllowed")
      source(limits.moovFirst, "moovFirst")
      positive(limits.coverBytesMaximum, "coverBytesMaximum")
      size(limits.stickerSize, "stickerSize")
      positive(limits.concealedShareMaximum, "concealedShareMaximum")
      agreement(of: limits)
    }

    private mutating func agreement(of limits: Preset.Limits) {
      let canvas = limits.canvas.value
      guard canvas.width > 0, canvas.height > 0 else { return }
      require(
        canvas.width <= limits.columnsMaximum.value,
        "limits.canvas.value.width: is \(canvas.width), above limits.columnsMaximum,"
          + " \(limits.columnsMaximum.value)")
      require(
        canvas.width % 2 == 0 && canvas.height % 2 == 0,
        "limits.canvas.value: is \(canvas); both sides must be even")
      let shape = Double(canvas.width) / Double(canvas.height)
      let aspect = limits.aspect.value
      require(
        aspect.minimum <= shape && shape <= aspect.maximum,
        "limits.canvas.value: is \(canvas), outside limits.aspect")
    }

    private mutating func bounds(
      _ limit: Preset.Limit<Preset.Bounds>, _ key: String, from least: Double
    ) {
      source(limit, key)
      let (minimum, maximum) = (limit.value.minimum, limit.value.maximum)
      require(
        minimum >= least,
        "limits.\(key).value.minimum: is \(minimum); it must be \(least) or more")
      require(
        maximum > 0, "limits.\(key).value.maximum: is \(maximum); it must be more than 0")
      require(
        minimum <= maximum,
        "limits.\(key).value: the minimum, \(minimum), is above the maximum, \(maximum)")
    }

    private mutating func positive<Value: Comparable & Numeric & Sendable>(
      _ limit: Preset.Limit<Value>, _ key: String
    ) {
      source(limit, key)
      require(
        limit.value > 0, "limits.\(key).value: is \(limit.value); it must be more than 0")
    }

    private mutating func list(_ limit: Preset.Limit<[String]>, _ key: String) {
      source(limit, key)
      require(!limit.value.isEmpty, "limits.\(key).value: must name at least one")
    }

    private mutating func size(_ limit: Preset.Limit<PixelSize>, _ key: String) {
      source(limit, key)
      require(
        limit.value.width > 0 && limit.value.height > 0,
        "limits.\(key).value: is \(limit.value); both sides must be more than 0")
    }

    private mutating func source<Value>(_ limit: Preset.Limit<Value>, _ key: String) {
      require(
        sources[limit.source] != nil,
        "limits.\(key).source: \"\(limit.source)\" is not a key of sources")
    }

    /// A year, a month or a day.
    private mutating func date(_ text: String, _ key: String) {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      let isDate =
        (1...3).contains(parts.count)
        && zip(parts, [4, 2, 2]).allSatisfy { part, digits in
          part.utf8.count == digits
            && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
        }
      require(isDate, "\(key).date: \"\(text)\" is not a date as in 2026-04-06")
    }

    private mutating func require(_ holds: Bool, _ problem: String) {
      if !holds { problems.append(problem) }
    }
  }
}
