private import Foundation
internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Finds where in a whole video the most is going on, without decoding more than a key frame a second and
/// its sound.
struct ActivityScan {
  let request: Request
  let info: MediaInfo
  let interrupt: Interrupt

  /// A longer video is looked at so far, seconds.
  private static let longest = 14_400
  private static let soundRate = 8_000
  /// Black is 16; fades end a little above.
  private static let black = 22.0

  /// - Parameter length: seconds that are wanted.
  /// - Throws: `FFmpegError`.
  func pick(length: Double) throws -> Pick? {
    guard let survey = info.video else { return nil }
    let motion = try motionBySecond(survey)
    let pictures = try pictures(survey)
    let seconds = motion.bytes.count
    guard Double(seconds) > length else { return nil }
    let sound = try soundBySecond(survey, seconds: seconds)
    let activity = Activity(
      motion: motion.isKnown ? motion.bytes : changes(of: pictures, seconds: seconds),
      sound: sound, isBlack: blackness(of: pictures, seconds: seconds))
    let window = Int(length.rounded(.up))
    let start = activity.best(length: window, latest: Int(max(0, motion.end - length)))
    return Self.explained(activity, start: start, length: min(window, seconds - start))
  }

  private static func explained(_ activity: Activity, start: Int, length: Int) -> Pick {
    func mean(_ values: [Double], _ range: Range<Int>) -> Double {
      let part = values[range.clamped(to: values.indices)]
      return part.isEmpty ? 0 : part.reduce(0, +) / Double(part.count)
    }
    let range = start..<(start + length)
    let all = mean(activity.motion, activity.motion.indices)
    let motion = all > 0 ? mean(activity.motion, range) / all : 1
    let loudness = mean(activity.sound, activity.sound.indices)
    let sound =
      loudness > 0 ? 10 * log10(max(mean(activity.sound, range), 1e-12) / loudness) : nil
    let black = activity.isBlack[range.clamped(to: activity.isBlack.indices)].count { $0 }
    func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
    let heard = sound.map { ", sound \($0 < 0 ? "" : "+")\(tenths($0)) dB" } ?? ", no sound"
    return Pick(
      start: MediaTime(seconds: Int64(start)), motion: motion, sound: sound,
      blackSeconds: Double(black),
      because:
        "\(length) s from \(start) s have \(tenths(motion)) times the whole's motion\(heard) "
        + "and \(black) s of black")
  }

  // MARK: Motion

  /// Bytes of the pictures that are predicted from others, in each second: what moves costs bytes.
  ///
  /// `isKnown` is false where every picture stands alone.
  private func motionBySecond(
    _ survey: VideoSurvey
  ) throws -> (bytes: [Double], isKnown: Bool, end: Double) {
    var reader = try PacketReader.open(
      request.input, stream: survey.track.index, at: nil, clock: survey.clock,
      interrupt: interrupt)
    var bytes: [Double] = []
    var (predicted, all) = (0, 0)
    var end = 0.0
    while let packet = try reader.next() {
      guard let time = reader.time(of: packet), !packet.isDiscarded else { continue }
      let exact = (time - survey.firstFrame).doubleValue
      guard exact >= 0 else { continue }
      guard exact < Double(Self.longest) else { break }
      end = max(end, exact)
      let second = Int(exact)
      while bytes.count <= second { bytes.append(0) }
      all += 1
      guard !packet.isKey else { continue }
      predicted += 1
      bytes[second] += Double(packet.byteCount)
    }
    return (bytes, predicted * 2 > all, end)
  }

  // MARK: Pictures

  private struct Picture {
    var second: Double
    var grid: [Double]
    var mean: Double { grid.reduce(0, +) / Double(max(1, grid.count)) }
  }

  private static let keySpacing = MediaTime(seconds: 1)

  /// Key frames, a second or more apart, as they look from far.
  private func pictures(_ survey: VideoSurvey) throws -> [Picture] {
    var reader = try VideoReader.open(
      request.input, stream: survey.track.index, entry: nil, threads: 1, interrupt: interrupt,
      clock: survey.clock, keySpacing: Self.keySpacing)
    var found: [Picture] = []
    while let picture = try reader.next() {
      let second = (picture.time - survey.firstFrame).doubleValue
      guard second >= 0 else { continue }
      guard second < Double(Self.longest) else { break }
      let graph = try FilterGraph.video(
        "scale=128:128:flags=fast_bilinear:out_range=limited,format=gray",
        from: picture.frame.videoFormat(timeBase: reader.timeBase), threads: 1)
      try graph.send(picture.frame)
      try graph.sendEnd()
      guard case .value(let small) = try graph.receive() else { continue }
      found.append(Picture(second: second, grid: small.lumaGrid))
    }
    return found
  }

  /// How far each picture differs from the one before, spread over the time between them.
  private func changes(of pictures: [Picture], seconds: Int) -> [Double] {
    var values = [Double](repeating: 0, count: seconds)
    for (one, two) in zip(pictures, pictures.dropFirst()) {
      let change = zip(one.grid, two.grid).reduce(0) { $0 + abs($1.0 - $1.1) }
      let span = max(two.second - one.second, 0.1)
      for second in Int(one.second)...max(Int(one.second), Int(two.second))
      where second < seconds {
        values[second] = max(values[second], change / span)
      }
    }
    return values
  }

  /// Each second is as dark as the picture on show in it.
  private func blackness(of pictures: [Picture], seconds: Int) -> [Bool] {
    var index = 0
    return (0..<seconds).map { second in
      while index + 1 < pictures.count, pictures[index + 1].second <= Double(second) + 0.5 {
        index += 1
      }
      return pictures.indices.contains(index) && pictures[index].mean < Self.black
    }
  }

  // MARK: Sound

  private func soundBySecond(_ survey: VideoSurvey, seconds: Int) throws -> [Double] {
    let usable = info.audio.filter { $0.track.isDecodable && $0.isSilent != true }
    guard let track = (usable.first { $0.track.isDefault } ?? usable.first)?.track,
      request.audio != .none
    else { return [] }
    var plan = AudioPlan(
      streams: [track.index], sampleRate: Self.soundRate, channels: 1, bitRate: BitsPerSecond(0),
      samples: Int64(seconds * Self.soundRate))
    plan.sourceClock = survey.clock
    let source = try AudioSource.open(
      request.input, stream: track.index, plan: plan, origin: survey.firstFrame,
      interrupt: interrupt)
    return try (0..<seconds).map { _ in
      if interrupt.shouldEnd { throw CancellationError() }
      return try source.take(Self.soundRate).meanSquare
    }
  }
}
