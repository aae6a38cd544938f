import Foundation
import ReelsModel

extension IndependentCheck {
  /// Starts, ends and lengths, by the packets and by the boxes.
  func checkTimes(_ subject: Subject, _ problems: inout Problems) {
    var ends: [MediaTime] = []
    for stream in subject.probe.streams {
      let kind = stream.codecType ?? "stream"
      let packets = subject.probe.packets(of: stream)
      let starts = packets.compactMap(\.pts)
      guard let first = starts.min(), starts.count == packets.count else {
        problems.expect(.startsAtZero, false, "\(kind) has packets without a time stamp, or none")
        continue
      }
      // libav tells no durations where the bitstream's own clock is another one.
      let usual = ((starts.max() ?? 0) - first) / Int64(max(1, starts.count - 1))
      let end = stream.time(packets.map { ($0.pts ?? 0) + ($0.duration ?? usual) }.max() ?? 0)
      problems.expect(.startsAtZero, first == 0, "\(kind) starts at \(stream.time(first))")
      checkLength(end - stream.time(first), of: kind, &problems)
      ends.append(end)
    }
    problems.expect(
      .endsTogether, areTogether(ends), "the packets end at \(ends.map { $0.decimals(6) })")

    let tracks = subject.boxes.tracks
    for track in tracks {
      checkLength(track.length, of: "the table of \(track.handler)", &problems)
      let stated = MediaTime(
        ticks: Int64(clamping: track.duration), timeBase: Ratio(1, Int64(max(1, track.timescale))))
      problems.expect(
        .duration, stated == track.length,
        "mdhd of \(track.handler) says \(stated), its table \(track.length)")
    }
    let lengths = tracks.map(\.length)
    problems.expect(
      .endsTogether, areTogether(lengths), "the tables end at \(lengths.map { $0.decimals(6) })")
  }

  private func checkLength(_ length: MediaTime, of kind: String, _ problems: inout Problems) {
    problems.expect(
      .duration, length >= MediaTime(seconds: 3) && length <= MediaTime(seconds: 60),
      "\(kind) lasts \(length.decimals(6)) s, not 3 to 60")
  }

  private func areTogether(_ ends: [MediaTime]) -> Bool {
    guard let first = ends.min(), let last = ends.max() else { return false }
    return last - first <= MediaTime(seconds: Ratio(1, 1000))
  }

  /// Equal intervals at 23 to 60 frames a second, and as many frames as packets.
  func checkFrames(_ subject: Subject, _ video: Probe.Stream, _ problems: inout Problems) {
    let packets = subject.probe.packets(of: video)
    let times = packets.compactMap(\.pts).sorted().map(video.time)
    problems.expect(
      .frameCount, "the count of decoded frames", video.nbReadFrames, "\(packets.count)")
    guard let first = times.first, let last = times.last, times.count > 1 else { return }
    let mean = (last - first) * Ratio(1, Int64(times.count - 1))
    let tolerance = isCopy ? MediaTime(seconds: Ratio(1, 1000)) : .zero
    let odd = zip(times, times.dropFirst()).first { abs($1 - $0, mean) > tolerance }
    problems.expect(
      .constantFrameRate, odd == nil,
      "the frame at \(odd.map { "\($0.0) lasts \(($0.1 - $0.0).decimals(6))" } ?? "") s,"
        + " the mean is \(mean.decimals(6)) s")
    problems.expect(
      .constantFrameRate, isCopy || subject.report.video?["FrameRate_Mode"] == "CFR",
      "mediainfo's mode is \(subject.report.video?["FrameRate_Mode"] ?? "not stated")")
    let rate = mean.seconds.inverted ?? Ratio(0)
    problems.expect(
      .frameRate, rate >= Ratio(23) && rate <= Ratio(60), "\(rate.doubleValue) frames a second")
  }

  private func abs(_ a: MediaTime, _ b: MediaTime) -> MediaTime { max(a, b) - min(a, b) }

  /// Key frames, whether GOPs are closed, and the bits of any second.
  func checkRate(
    _ packets: [Probe.Packet], _ video: Probe.Stream, _ problems: inout Problems
  ) {
    problems.expect(.closedGOP, packets.first?.isKey == true, "the first packet is no key frame")
    let keys = packets.filter(\.isKey).compactMap(\.pts)
    let end = packets.map { ($0.pts ?? 0) + ($0.duration ?? 0) }.max() ?? 0
    let longest = zip(keys, keys.dropFirst() + [end]).map { $1 - $0 }.max() ?? 0
    let allowed = MediaTime(seconds: isCopy ? 10 : 2)
    problems.expect(
      .closedGOP, video.time(longest) <= allowed,
      "a GOP lasts \(video.time(longest)) s, more than \(allowed) s")
    var lastKey: Int64?
    for packet in packets {
      if packet.isKey { lastKey = packet.pts }
      guard let pts = packet.pts, let key = lastKey, pts < key else { continue }
      problems.expect(
        .closedGOP, false, "the frame at \(video.time(pts)) follows its key frame in the file")
      break
    }

    let peak = Self.peakBits(packets, second: Ratio(1) / video.tick)
    problems.expect(.peakBitRate, peak <= 25_000_000, "a second has \(peak) bits")
  }

  /// The most bits whose decoding times lie within one second.
  ///
  /// - Parameter second: In ticks.
  static func peakBits(_ packets: [Probe.Packet], second: Ratio) -> Int {
    var (peak, sum, first) = (0, 0, 0)
    let times = packets.map { $0.dts ?? $0.pts ?? 0 }
    for (last, packet) in packets.enumerated() {
      sum += packet.bytes * 8
      while Ratio(times[last] - times[first]) >= second {
        sum -= packets[first].bytes * 8
        first += 1
      }
      peak = max(peak, sum)
    }
    return peak
  }
}
