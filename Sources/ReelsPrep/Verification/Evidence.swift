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
  /// nil where the video is neither H.264 nor HEVC, or `parameterFault` says why.
  let parameterSets: ParameterSets?
  let parameterFault: String?
  /// nil where there are no parameter sets or no samples.
  let pictures: CodedSamples?
  /// Text between the samples.
  let unused: [MP4Metadata.Item]
  /// The first bytes of the first packet of sound.
  let soundHead: [UInt8]

  init(reading bytes: borrowing FileBytes) throws(Malformed) {
    let file = try MP4File(reading: bytes)
    self.file = file
    self.video = file.movie.tracks.first(where: \.isVideo)
    self.audio = file.movie.tracks.first(where: \.isAudio)
    let isWhole =
      file.movie.fragmentsLocation == nil && file.first("moof") == nil
      && !file.movie.tracks.contains { $0.table.isTimeless }
    self.unused = isWhole && file.cut == nil ? try MP4Gaps.items(file, bytes) : []
    self.soundHead =
      try audio?.table.samples?.first.map { first throws(Malformed) in
        first.offset + first.size <= bytes.count
          ? try bytes.read(at: first.offset, count: Int(min(first.size, 64))) : []
      } ?? []
    self.videoTimeline = isWhole ? video.flatMap(Timeline.init) : nil
    self.audioTimeline = isWhole ? audio.flatMap(Timeline.init) : nil

    var sets: ParameterSets?
    var fault: String?
    do throws(Malformed) {
      switch video?.videoCodec {
      case "h264":
        guard let box = video?.videoEntry?.avcConfiguration else {
          throw Malformed("there is no avcC box")
        }
        sets = try ParameterSets(avcC: box)
      case "hevc":
        guard let box = video?.videoEntry?.hvcConfiguration else {
          throw Malformed("there is no hvcC box")
        }
        sets = try ParameterSets(hvcC: box)
      default: break
      }
    } catch {
      fault = error.sentence
    }
    self.parameterSets = sets
    self.parameterFault = fault
    if let sets, let videoTimeline {
      self.pictures = CodedSamples(samples: videoTimeline.samples, sets: sets, bytes: bytes)
    } else {
      self.pictures = nil
    }
  }

  /// Whether times can be told: they are not in a fragmented file, nor where `ctts` ends too early; other
  /// rules refuse both.
  var hasTimes: Bool { !isFragmented && !file.movie.tracks.contains { $0.table.isTimeless } }

  var isFragmented: Bool { file.movie.fragmentsLocation != nil || file.first("moof") != nil }

  /// The sequence parameter sets of the track, then those that samples hold beside them.
  var sequences: [any VideoSequence] {
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
