internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Chooses the video track, decodes its first frames, and reads the packets of the window.
struct VideoSurveyor {
  let request: Request
  /// Seconds that a window has at most.
  let window: Double
  let interrupt: Interrupt

  /// Frames looked at for interlacing: a field pair and what follows it.
  private static let firstFrames = 4

  /// Containers that pass over damage and whose bytes lie in the order of time. In a transport stream what
  /// is lost damages what is left, and that is counted.
  private static let orderedFormats: Set = ["matroska", "flv", "asf"]

  private var name: String { request.input.lastComponent.description }

  /// - Throws: `PrepError` for a file that cannot be used, `FFmpegError` for one that cannot be read.
  func survey(_ tracks: TrackList, in demuxer: borrowing Demuxer) throws -> VideoSurvey {
    let candidates = try candidates(tracks, in: demuxer)
    let isFileEncrypted = (0..<demuxer.streamCount).contains { demuxer.isEncrypted($0) }
    for (index, track) in candidates.enumerated() {
      if demuxer.isEncrypted(track.index) { throw encrypted }
      let dolbyVision = demuxer.dolbyVision(of: track.index)
      try refuseUnusable(dolbyVision)
      guard var survey = try firstFrames(of: track, isFileEncrypted: isFileEncrypted) else {
        continue
      }
      // A still that is not marked as a cover, beside a video.
      if survey.frames.count == 1, index + 1 < candidates.count { continue }
      survey.dolbyVisionProfile = dolbyVision?.profile
      interrupt.limit(seconds: Inspector.surveySeconds)
      if RestartScan.formats.contains(demuxer.formatName) {
        survey.clock.restarts = try RestartScan(
          input: request.input, video: track.index, audio: tracks.audio.map(\.index),
          interrupt: interrupt
        ).restarts()
      }
      try WindowSurvey(
        request: request, window: window, interrupt: interrupt,
        statedRate: demuxer.statedFrameRate(of: track.index),
        isInOrder: Self.orderedFormats.contains(demuxer.formatName)
      ).read(into: &survey)
      if request.removeBorders {
        survey.content = try content(survey)
      }
      return survey
    }
    if isFileEncrypted { throw encrypted }
    throw refused(
      .undecodable,
      "\(name) claims \(candidates.first?.codec ?? "some") video, but not one frame of it can be "
        + "decoded; it may be cut off or damaged: export it again")
  }

  private var encrypted: PrepError {
    refused(.undecodable, "\(name) is encrypted (DRM) and cannot be decoded; use a copy without it")
  }

  /// Borders that cannot be looked for are not there; an interrupt is one.
  private func content(_ survey: VideoSurvey) throws -> PixelRect? {
    do {
      return try BorderScan(
        samples: WindowSamples(input: request.input, survey: survey, interrupt: interrupt)
      ).content()
    } catch let error as FFmpegError {
      if error.code == .interrupted { throw error }
      return nil
    }
  }

  private var stillPicture: PrepError {
    // RIFF, size, "WEBP", then a VP8X chunk whose second flag is animation (RFC 9649 §2.7.1).
    let head = (try? OpenFile.open(request.input, for: .reading).read(32)) ?? []
    if head.count > 20, head[12..<16].elementsEqual("VP8X".utf8), head[20] & 2 != 0 {
      return refused(
        .undecodable,
        "\(name) is an animated WebP, which this FFmpeg cannot decode; convert it to GIF or MP4 first"
      )
    }
    return refused(
      .stillImage,
      "\(name) is a still picture; a Reel needs a video, and --destination stories takes a picture")
  }

  private func refused(_ code: PrepError.Code, _ sentence: String) -> PrepError {
    PrepError(code: code, sentence: sentence, blame: .input)
  }

  // MARK: The track

  /// The tracks to try, best first: decodable, of many frames, the container's default, large.
  private func candidates(
    _ tracks: TrackList, in demuxer: borrowing Demuxer
  ) throws -> [VideoTrack] {
    guard !tracks.video.isEmpty else {
      if demuxer.formatName.hasSuffix("_pipe") { throw stillPicture }
      let fact = tracks.audio.isEmpty ? "has no video track" : "has sound but no video track"
      throw refused(.noVideo, "\(name) \(fact); a Reel needs a video")
    }
    if demuxer.formatName.hasSuffix("_pipe") { throw stillPicture }
    guard tracks.video.contains(where: \.isDecodable) else {
      let codec = tracks.video[0].codec
      throw refused(
        .undecodable,
        "\(name) is in \(codec), which this FFmpeg cannot decode; convert it to H.264 or HEVC first"
      )
    }
    // A second picture track of a few frames (a motion photo's still) is not the video.
    let counts = tracks.video.map { demuxer.statedFrameCount(of: $0.index) ?? .max }
    let most = counts.max() ?? 0
    func rank(_ track: VideoTrack, _ count: Int64) -> [Int] {
      [count >= most / 4 ? 1 : 0, track.isDefault ? 1 : 0, track.size.area, -track.index]
    }
    let ranked = zip(tracks.video, counts).filter { $0.0.isDecodable }
      .map { (track: $0.0, rank: rank($0.0, $0.1)) }
      .sorted { a, b in b.rank.lexicographicallyPrecedes(a.rank) }
    let small = ranked.map(\.track).filter {
      Int64($0.size.width) * Int64($0.size.height) <= Decoder.maximumPixels
    }
    if let first = ranked.first, small.isEmpty {
      throw refused(
        .tooLarge,
        "\(name) is \(first.track.size), more than the \(Decoder.maximumPixels) pixels a picture may "
          + "have; scale it down first")
    }
    return small
  }

  private func refuseUnusable(_ dolbyVision: (profile: Int, compatibility: Int)?) throws {
    guard let dolbyVision, dolbyVision.profile == 5 || dolbyVision == (10, 0) else { return }
    throw refused(
      .undecodable,
      "\(name) is Dolby Vision profile \(dolbyVision.profile), whose colours cannot be shown "
        + "without its metadata; export it as HDR10, HLG or SDR")
  }

  // MARK: The first frames

  /// What the first frames show; the window's fields are still empty.
  ///
  /// - Returns: nil where not one frame can be decoded.
  private func firstFrames(
    of track: VideoTrack, isFileEncrypted: Bool
  ) throws -> VideoSurvey? {
    do {
      return try firstFrames(of: track)
    } catch let error as FFmpegError {
      // A file may mark one track alone, and fail while its packets are read.
      if isFileEncrypted, error.code != .interrupted { throw encrypted }
      throw error
    }
  }

  private func firstFrames(of track: VideoTrack) throws -> VideoSurvey? {
    var reader = try VideoReader.open(
      request.input, stream: track.index, entry: nil, threads: 1, interrupt: interrupt)
    let next = try reader.next()
    if reader.isEncrypted { throw encrypted }
    guard let first = next else { return nil }
    let size = first.frame.size
    guard let pixels = first.frame.pixelFormat, size.width > 0, size.height > 0 else {
      throw refused(
        .undecodable, "\(name) decodes to pictures of an unknown kind; convert it to H.264 first")
    }
    let facts = reader.facts(of: first.frame)
    let none = FrameTimes(
      start: first.time, count: 0, last: first.time, entries: [])
    var survey = VideoSurvey(
      track: track, timeBase: reader.timeBase, firstFrame: first.time, frames: none,
      constantRate: nil, medianInterval: nil, end: nil, codedSize: size,
      sampleAspect: facts.sampleAspect, bitstreamAspect: first.frame.sampleAspect,
      orientation: facts.orientation, pixelFormat: pixels,
      color: first.frame.color, isInterlaced: first.frame.isInterlaced,
      peakLuminance: first.frame.peakLuminance,
      dolbyVisionProfile: nil)
    survey.frames.count = 1
    for _ in 1..<Self.firstFrames {
      guard let next = try reader.next() else { break }
      survey.frames.count += 1
      if next.frame.isInterlaced { survey.isInterlaced = true }
    }
    survey.lostStart = reader.beforeFirst.map { first.time - $0 }
    if reader.beforeClock > .zero { survey.lostStart = reader.beforeClock }
    survey.clock.order = reader.stampOrder
    // What AVI says of H.264 is never of showing.
    if survey.clock.order == .decoding, track.codec == "h264", reader.isOfDecodingByFormat == false
    {
      survey.clock.order = try StampScan(
        input: request.input, stream: track.index, seconds: window, interrupt: interrupt
      ).order()
    }
    if survey.clock.order != .presentation {
      var again = try VideoReader.open(
        request.input, stream: track.index, entry: nil, threads: 1, interrupt: interrupt,
        clock: survey.clock)
      if let picture = try again.next() { survey.firstFrame = picture.time }
    }
    return survey
  }
}
