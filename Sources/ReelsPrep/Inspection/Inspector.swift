internal import ReelsFFmpeg
internal import ReelsModel
internal import ReelsPipeline

/// Reads what an input is: headers, the first decoded frames, and the packets of the window.
///
/// Blocking; run it on a thread of its own.
struct Inspector {
  let request: Request
  let preset: Preset
  let interrupt: Interrupt
  /// The input's size.
  let bytes: ByteCount

  /// An answer is due within this time where a file leads nowhere.
  static let openSeconds = 10.0
  /// Reading the packets of a window, also of an hour's WebM without an index.
  static let surveySeconds = 60.0

  private var name: String { request.input.lastComponent.description }

  /// - Throws: `PrepError`, or `CancellationError` where the interrupt was requested.
  func inspect() throws -> MediaInfo {
    do {
      interrupt.limit(seconds: Self.openSeconds)
      let editCount = try EditListCheck(input: request.input).check()
      let demuxer = try Demuxer.open(request.input, interrupt: interrupt)
      var tracks = TrackList(demuxer)
      if editCount > 1 { tracks.audio = EditLists(input: request.input).annotate(tracks.audio) }
      let surveyor = VideoSurveyor(
        request: request, window: preset.limits.durationSeconds.value.maximum,
        interrupt: interrupt)
      let video = try surveyor.survey(tracks, in: demuxer)
      let info = MediaInfo(
        path: request.input, bytes: bytes, container: demuxer.formatName,
        claimedDuration: demuxer.claimedDuration, videoTracks: tracks.video,
        audioTracks: tracks.audio, otherTracks: tracks.other, video: video,
        audio: try audioSurveys(tracks.audio, video))
      interrupt.limit(seconds: nil)
      return info
    } catch let error as FFmpegError {
      throw try translated(error)
    }
  }

  /// The sentence for a libav error; a request to stop is not one.
  private func translated(_ error: FFmpegError) throws -> PrepError {
    if interrupt.isRequested { throw CancellationError() }
    if interrupt.isExpired {
      return PrepError(
        code: .timeLimit,
        sentence:
          "\(name) could not be read in time (\(Int(Self.openSeconds)) s to its first picture, "
          + "\(Int(Self.surveySeconds)) s through the window); it may be damaged: export it again",
        blame: .input)
    }
    return PrepError(reading: name, error)
  }

  /// Only where there is a choice are tracks scanned for silence: audio packets of the window.
  private func audioSurveys(
    _ tracks: [AudioTrack], _ video: VideoSurvey
  ) throws(FFmpegError) -> [AudioSurvey] {
    let decodable = tracks.filter(\.isDecodable)
    let hasChoice = decodable.count > 1 && request.audio == .auto
    var surveys: [AudioSurvey] = []
    for track in tracks {
      var isSilent: Bool?
      if hasChoice, track.isDecodable {
        do throws(FFmpegError) {
          isSilent = try SilenceScan(
            input: request.input, track: track, video: video, interrupt: interrupt
          ).isSilent()
        } catch {
          // A track that cannot be read must not win over one that can.
          guard error.isDamage else { throw error }
          isSilent = true
        }
      }
      surveys.append(AudioSurvey(track: track, isSilent: isSilent))
    }
    return surveys
  }
}

/// The tracks of a container by kind.
struct TrackList {
  var video: [VideoTrack] = []
  var audio: [AudioTrack] = []
  var other: [String] = []

  init(_ demuxer: borrowing Demuxer) {
    for track in demuxer.tracks {
      switch track {
      case .video(let track): video.append(track)
      case .audio(let track): audio.append(track)
      case .attachedPicture: other.append("attached picture")
      case .other(let kind): other.append(kind)
      }
    }
  }
}

extension PrepError {
  /// The sentence for a file that libav could not read.
  init(reading name: String, _ error: FFmpegError) {
    let detail = error.detail.map { " (\($0))" } ?? ""
    switch error.code {
    case .decoderNotFound:
      self.init(
        code: .undecodable,
        sentence: "\(name) is in \(error.detail ?? "a format") that this FFmpeg cannot decode; "
          + "convert it to H.264 or HEVC first", blame: .input)
    case .outOfMemory where error.detail?.contains(LibraryLog.tooManyStreams) == true:
      self.init(
        code: .tooLarge,
        sentence:
          "\(name) has more than 1,000 tracks, and no video needs so many; export its picture "
          + "and sound to a new file", blame: .input)
    case .outOfMemory:
      self.init(
        code: .tooLarge,
        sentence:
          "\(name) asks for more memory than there is for it\(detail); --max-memory allows more",
        blame: .input)
    default:
      if let detail = error.detail, detail.contains("whitelist") {
        self.init(
          code: .notMedia,
          sentence:
            "\(name) is a playlist, a device or a list of other files, which are not followed; "
            + "give the media file itself", blame: .input)
        return
      }
      self.init(
        code: .notMedia,
        sentence: "\(name) is not a video that FFmpeg can read: \(error.meaning)\(detail)",
        blame: .input)
    }
  }
}
