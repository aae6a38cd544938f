internal import ReelsFFmpeg
internal import ReelsModel

/// Finds where the clock of an MPEG transport or program stream begins anew, by the time stamps of all of
/// its packets: 1.5 GB a second, once the file is in memory.
struct RestartScan {
  let input: FilePath
  let video: Int
  let audio: [Int]
  let interrupt: Interrupt

  /// The demuxers of streams that may be joined anywhere.
  static let formats: Set = ["mpegts", "mpeg"]

  /// What ffmpeg takes for a discontinuity (`-dts_delta_threshold`, 10 s), and half a second back, more
  /// than packets are out of order.
  private static let (forward, back) = (MediaTime(seconds: 10), MediaTime(seconds: Ratio(1, 2)))
  /// A larger file on a slower disk is taken as it was read until then.
  private static let most = Duration.seconds(10)
  /// Where sound ends so much later than the picture, the new clock begins after it.
  private static let tail = MediaTime(seconds: Ratio(1, 2))

  /// A stretch of one stream between two jumps.
  private struct Stretch {
    var position: Int64
    var start: MediaTime
    var end: MediaTime
    var lastDecoded: MediaTime
  }

  func restarts() throws(FFmpegError) -> [Int: [ClockRestart]] {
    let stretches = try stretches()
    guard let pictures = stretches[video], pictures.count > 1 else { return [:] }
    // A track that pauses is not a clock that jumps: forward, sound has to jump as well.
    let sounds = audio.compactMap { stretches[$0] }
    let isAll = sounds.allSatisfy { $0.count == pictures.count }
    let isForward = zip(pictures, pictures.dropFirst()).contains { $1.start > $0.start }
    if isForward, !isAll { return [:] }

    var restarts: [Int: [ClockRestart]] = [:]
    var shift = MediaTime.zero
    for index in 1..<pictures.count {
      let (old, new) = (pictures[index - 1], pictures[index])
      var least = shift + old.end - new.start
      if isAll {
        let needed = sounds.map { shift + $0[index - 1].end - $0[index].start }.max() ?? least
        if needed > least + Self.tail { least = needed }
      }
      shift = least
      for stream in [video] + audio {
        let own = isAll ? stretches[stream]?[index].position : nil
        restarts[stream, default: []].append(
          ClockRestart(
            position: own ?? new.position, time: new.start + shift, shift: shift))
      }
    }
    return restarts
  }

  private func stretches() throws(FFmpegError) -> [Int: [Stretch]] {
    let demuxer = try Demuxer.open(input, interrupt: interrupt)
    demuxer.select(Set([video] + audio))
    var found: [Int: [Stretch]] = [:]
    let begin = ContinuousClock.now
    var count = 0
    while case .value(let packet) = try demuxer.read() {
      count += 1
      if count % 1_000 == 0, ContinuousClock.now - begin > Self.most { break }
      guard let timeBase = demuxer.timeBase(of: packet.stream),
        let shown = packet.pts ?? packet.dts, let decoded = packet.dts ?? packet.pts
      else { continue }
      let start = MediaTime(ticks: shown, timeBase: timeBase)
      let end = start + MediaTime(ticks: packet.duration, timeBase: timeBase)
      let decodedTime = MediaTime(ticks: decoded, timeBase: timeBase)
      var stretches = found[packet.stream, default: []]
      if let last = stretches.last, decodedTime > last.lastDecoded - Self.back,
        decodedTime < last.lastDecoded + Self.forward
      {
        stretches[stretches.count - 1].end = max(last.end, end)
        stretches[stretches.count - 1].lastDecoded = decodedTime
      } else if let position = packet.position {
        stretches.append(
          Stretch(position: position, start: start, end: end, lastDecoded: decodedTime))
      }
      found[packet.stream] = stretches
    }
    return found
  }
}
