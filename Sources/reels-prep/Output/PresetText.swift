internal import ReelsModel

/// A preset for people: every limit, how hard it is, and the page that it comes from.
enum PresetText {
  /// A limit as a line of a table.
  struct Row: Hashable {
    var name: String
    var value: String
    var severity: Preset.Severity
    var source: String
  }

  /// What differs between two presets, a line for each limit.
  static func differences(_ one: Preset, _ two: Preset) -> [Difference] {
    let (left, right) = (rows(one.limits), rows(two.limits))
    let names =
      left.map(\.name)
      + right.map(\.name).filter { name in
        !left.contains { $0.name == name }
      }
    return names.compactMap { name in
      let (a, b) = (left.first { $0.name == name }, right.first { $0.name == name })
      guard a?.value != b?.value || a?.severity != b?.severity else { return nil }
      return Difference(limit: name, one: text(a), two: text(b))
    }
  }

  struct Difference: Hashable, Encodable {
    var limit: String
    var one: String
    var two: String
  }

  private static func text(_ row: Row?) -> String {
    row.map { "\($0.value) (\($0.severity.rawValue))" } ?? "no limit"
  }

  static func lines(_ differences: [Difference], _ one: Preset, _ two: Preset) -> [String] {
    let head = "\(one.name), revision \(one.revision), and \(two.name), revision \(two.revision)"
    guard !differences.isEmpty else { return ["\(head): no limit differs".singleLine] }
    let width = differences.map(\.limit.count).max() ?? 0
    let (names, gap) = (max(one.name.count, two.name.count), String(repeating: " ", count: width))
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    return
      ([head]
      + differences.flatMap { difference in
        [
          "  \(padded(difference.limit, width))  \(padded(one.name, names))  \(difference.one)",
          "  \(gap)  \(padded(two.name, names))  \(difference.two)",
        ]
      }).map(\.singleLine)
  }

  private static func rows(_ limits: Preset.Limits) -> [Row] {
    var rows: [Row] = [
      row("duration", limits.durationSeconds) { "\(bounds($0)) s" },
      row("file size", limits.fileBytesBelow) { "below \(ByteCount($0))" },
      row("video codec", limits.videoCodecs) { $0.joined(separator: ", ") },
      row("copied", limits.copiedVideoCodecs) { $0.joined(separator: ", ") },
      row("video profile", limits.videoProfiles) { $0.joined(separator: ", ") },
      row("frame rate", limits.frameRate) { "\(bounds($0)) fps" },
      row("canvas", limits.canvas) { "\($0)" },
      row("columns", limits.columnsMaximum) { "at most \($0)" },
      row("width / height", limits.aspect) { bounds($0) },
      row("GOP", limits.gopSecondsMaximum) { "at most \(number($0)) s, closed" },
      row("peak rate", limits.peakBitsPerSecond) { "at most \(BitsPerSecond($0))" },
      row("audio codec", limits.audioCodecs) { $0.joined(separator: ", ") },
      row("sample rate", limits.audioSampleRateMaximum) { "at most \($0) Hz" },
      row("channels", limits.audioChannels) { bounds($0) },
      row("audio rate", limits.audioBitsPerSecond) { "\(BitsPerSecond($0))" },
      row("edit lists", limits.editListsAllowed) { $0 ? "allowed" : "none" },
      row("moov first", limits.moovFirst) { $0 ? "yes" : "either way" },
      row("cover", limits.coverBytesMaximum) { "at most \(ByteCount($0))" },
      row("sticker", limits.stickerSize) { "at most \($0)" },
    ]
    if let least = limits.leastSize { rows.append(row("least size", least) { "\($0)" }) }
    return rows
  }

  static func lines(_ preset: Preset) -> [String] {
    var lines = [
      "\(preset.name), revision \(preset.revision): \(preset.title)",
      "  \(preset.source.title), \(preset.source.page), \(preset.source.date)",
    ]
    lines += rows(preset.limits).map { row in
      let gap = String(repeating: " ", count: max(1, 16 - row.name.count))
      return "  \(row.name)\(gap)\(row.value) (\(row.severity.rawValue), \(row.source))"
    }
    lines += preset.sources.sorted { $0.key < $1.key }.map { key, source in
      "  [\(key)] \(source.title), \(source.page), \(source.date)"
    }
    return lines.map(\.singleLine)
  }

  private static func row<Value>(
    _ name: String, _ limit: Preset.Limit<Value>, _ text: (Value) -> String
  ) -> Row {
    Row(name: name, value: text(limit.value), severity: limit.severity, source: limit.source)
  }

  private static func bounds(_ bounds: Preset.Bounds) -> String {
    "\(number(bounds.minimum)) to \(number(bounds.maximum))"
  }

  private static func number(_ value: Double) -> String {
    ResultLine.rate(Ratio(approximating: value))
  }
}
