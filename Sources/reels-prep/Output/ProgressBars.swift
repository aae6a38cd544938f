internal import ReelsModel

/// One line for each running job: name, bar, share, speed, time left.
struct ProgressBars {
  private var jobs: [(input: FilePath, progress: Event.Progress)] = []

  /// Moves, adds or, with nil, removes a job's bar. A bar never goes back.
  mutating func update(_ input: FilePath, _ progress: Event.Progress?) {
    let index = jobs.firstIndex { $0.input == input }
    switch (index, progress) {
    case (let index?, let progress?):
      if progress.fraction >= jobs[index].progress.fraction { jobs[index].progress = progress }
    case (let index?, nil): jobs.remove(at: index)
    case (nil, let progress?): jobs.append((input, progress))
    case (nil, nil): break
    }
  }

  /// The lines, none longer than `columns` - 1.
  func lines(columns: Int) -> [String] {
    let nameColumns = max(8, min(30, columns / 3))
    return jobs.map { job in
      let name = Self.fitted(job.input.lastComponent.description, to: nameColumns)
      let facts = Self.facts(job.progress)
      let room = columns - 1 - nameColumns - facts.count - 4
      let bar = room >= 8 ? " [\(Self.bar(job.progress.fraction, room))] " : " "
      return Self.fitted(name + bar + facts, to: columns - 1)
    }
  }

  private static func bar(_ fraction: Double, _ columns: Int) -> String {
    let filled = Int(Double(columns) * min(max(fraction, 0), 1))
    return String(repeating: "#", count: filled) + String(repeating: "-", count: columns - filled)
  }

  private static func facts(_ progress: Event.Progress) -> String {
    let percent = Int(min(max(progress.fraction, 0), 1) * 100)
    let speed = MediaTime(seconds: Ratio(approximating: progress.speed)).decimals(1)
    let left = progress.secondsLeft.map { " \(clock($0)) left" } ?? ""
    return "\(padded("\(percent)", 3)) % \(padded(speed, 4))x\(left)"
  }

  /// "0:07", "12:34" or "1:02:03".
  static func clock(_ seconds: Double) -> String {
    let whole = Int(min(max(seconds.isFinite ? seconds : 0, 0), 360_000).rounded(.up))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    let tail = (rest < 10 ? "0" : "") + "\(rest)"
    return hours > 0
      ? "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)" : "\(minutes):\(tail)"
  }

  private static func padded(_ text: String, _ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - text.count)) + text
  }

  /// Cut or filled to exactly `columns`, where wide characters count twice.
  private static func fitted(_ text: String, to columns: Int) -> String {
    var result = ""
    var width = 0
    for character in text {
      let own = self.width(of: character)
      guard width + own <= columns else { break }
      result.append(character)
      width += own
    }
    return result + String(repeating: " ", count: max(0, columns - width))
  }

  /// Columns that a terminal gives to a character, to err on the wide side.
  private static func width(of character: Character) -> Int {
    let isWide = character.unicodeScalars.contains { $0.value >= 0x1100 }
    return isWide ? 2 : 1
  }
}
