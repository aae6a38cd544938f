internal import ReelsModel

/// A preset for people: every limit, how hard it is, and the page that it comes from.
enum PresetText {
  static func lines(_ preset: Preset) -> [String] {
    let limits = preset.limits
    var rows: [(String, String, Preset.Severity, String)] = [
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
    var lines = [
      "\(preset.name), revision \(preset.revision): \(preset.title)",
      "  \(preset.source.title), \(preset.source.page), \(preset.source.date)",
    ]
    lines += rows.map { name, value, severity, source in
      let gap = String(repeating: " ", count: max(1, 16 - name.count))
      return "  \(name)\(gap)\(value) (\(severity.rawValue), \(source))"
    }
    lines += preset.sources.sorted { $0.key < $1.key }.map { key, source in
      "  [\(key)] \(source.title), \(source.page), \(source.date)"
    }
    return lines.map(\.singleLine)
  }

  private static func row<Value>(
    _ name: String, _ limit: Preset.Limit<Value>, _ text: (Value) -> String
  ) -> (String, String, Preset.Severity, String) {
    (name, text(limit.value), limit.severity, limit.source)
  }

  private static func bounds(_ bounds: Preset.Bounds) -> String {
    "\(number(bounds.minimum)) to \(number(bounds.maximum))"
  }

  private static func number(_ value: Double) -> String {
    ResultLine.rate(Ratio(approximating: value))
  }
}
