import ReelsModel

/// Everything that the rules judge, read once.
struct Evidence: Sendable {
  let file: MP4File
  /// The first track of its kind; another rule counts them.
  let video: MP4Track?
  let audio: MP4Track?
  /// nil in a fragmented file, whose tables are elsewhere, and for a track without samples.
  let videoTimeline: Timeline?
  let audioTimeline: Timeline?
  /// nil where the video is not H.264, or `parameterFault` says why.
  let parameterSets: H264ParameterSets?
  let parameterFault: String?
  /// nil where there are no parameter sets or no samples.
  let pictures: H264Samples?

  init(reading bytes: borrowing FileBytes) throws(Malformed) {
    let file = try MP4File(reading: bytes)
    self.file = file
    self.video = file.movie.tracks.first(where: \.isVideo)
    self.audio = file.movie.tracks.first(where: \.isAudio)
    let isWhole = file.movie.fragmentsLocation == nil && file.first("moof") == nil
    self.videoTimeline = isWhole ? video.flatMap(Timeline.init) : nil
    self.audioTimeline = isWhole ? audio.flatMap(Timeline.init) : nil

    var sets: H264ParameterSets?
    var fault: String?
    if video?.videoCodec == "h264" {
      do throws(Malformed) {
        guard let box = video?.videoEntry?.avcConfiguration else {
          throw Malformed("there is no avcC box")
        }
        sets = try H264ParameterSets(avcC: box)
      } catch {
        fault = error.sentence
      }
    }
    self.parameterSets = sets
    self.parameterFault = fault
    if let sets, let videoTimeline {
      self.pictures = H264Samples(samples: videoTimeline.samples, sets: sets, bytes: bytes)
    } else {
      self.pictures = nil
    }
  }

  var isFragmented: Bool { file.movie.fragmentsLocation != nil || file.first("moof") != nil }

  /// The sequence parameter sets of `avcC`, then those that samples hold beside them.
  var sequences: [H264SPS] {
    (parameterSets?.sequences ?? []) + (pictures?.inBandSequences ?? [])
  }

  var audioConfiguration: AudioConfiguration? { audio?.audioEntry?.configuration }
}

extension MP4Track {
  var videoEntry: MP4SampleEntry.Video? {
    if case .video(let entry) = entry?.kind { entry } else { nil }
  }

  var audioEntry: MP4SampleEntry.Audio? {
    if case .audio(let entry) = entry?.kind { entry } else { nil }
  }

  /// The codec's name as in presets; the four-character code of one that they do not name.
  var videoCodec: String {
    switch entry?.format {
    case "avc1", "avc3": "h264"
    case "hvc1", "hev1": "hevc"
    case "av01": "av1"
    case "vp09": "vp9"
    case let format?: "\(format)"
    case nil: "none"
    }
  }
}
