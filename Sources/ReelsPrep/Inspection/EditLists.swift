internal import ReelsModel

/// The edit lists of several parts, which are followed by us.
///
/// libav cuts sound at packets where a part ends, up to 21 ms early or late.
struct EditLists {
  let input: FilePath

  /// Tells each track of sound its parts.
  func annotate(_ tracks: [AudioTrack]) -> [AudioTrack] {
    guard let bytes = try? FileBytes.open(input), let file = try? MP4File(reading: bytes) else {
      return tracks
    }
    return tracks.map { track in
      var track = track
      let index = track.index
      // libav makes a stream of each track, in their order.
      if file.movie.tracks.indices.contains(index), file.movie.tracks[index].isAudio {
        track.edits = Self.edits(of: file.movie.tracks[index])
      }
      return track
    }
  }

  /// - Returns: nil where there is one part, or none.
  private static func edits(of track: MP4Track) -> [AudioEdit]? {
    let parts = track.edits.filter { $0.mediaTime != nil }
    guard let tick = track.timeBase, parts.count > 1 else { return nil }
    var edits: [AudioEdit] = []
    var start = MediaTime.zero
    for edit in track.edits {
      if let ticks = edit.mediaTime {
        edits.append(
          AudioEdit(
            start: start, duration: edit.duration, media: MediaTime(ticks: ticks, timeBase: tick)))
      }
      start = start + edit.duration
    }
    return edits
  }
}
