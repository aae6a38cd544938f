import ReelsModel

/// The rules of the file and its boxes.
extension Judge {
  var containerFindings: [Finding] {
    [container, moovFirst, noEditList, noFragments, tracks, metadata, fileSize]
  }

  /// ISO base media and MP4 brands, as registered at mp4ra.org.
  private static let mp4Brands: Set<FourCC> = [
    "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "avc1",
    "M4V ", "M4VH", "M4VP", "MSNV", "mp71",
  ]

  private var container: Finding {
    let file = evidence.file
    let brand = file.majorBrand.map { "\($0)" } ?? "none"
    var faults: [Fault] = []
    let isMP4 = file.majorBrand.map { major in
      Self.mp4Brands.contains(major)
        || (major != "qt  " && !Self.mp4Brands.isDisjoint(with: file.compatibleBrands))
    }
    let structure = "tables and boxes that agree with each other"
    if isMP4 != true {
      faults.append(
        Fault(
          file.majorBrand == nil ? "no ftyp box" : "brand \(brand)",
          at: file.first("ftyp")?.location ?? "byte 0"))
    }
    for track in [evidence.video, evidence.audio].compactMap({ $0 }) {
      if track.table.samples == nil {
        faults.append(
          Fault("\(track.table.sampleCount) samples", at: track.table.location))
      }
    }
    if let first = file.topLevel.first, first.type != "ftyp", file.majorBrand != nil {
      // 4.3: before anything whose meaning it tells.
      faults.append(Fault("ftyp after \(first.type)", at: file.first("ftyp")?.location))
    }
    if let cut = file.cut {
      faults.append(
        Fault("\(cut.box.size) of \(cut.claimed) bytes of \(cut.box.type)", at: cut.box.location))
    }
    faults += (file.faults + file.movie.faults).map {
      Fault($0.found, at: $0.location, allowed: structure)
    }
    if let fault = misplacedSample { faults.append(fault) }
    if let fault = evidence.pictures?.fault {
      faults.append(
        Fault(fault.reason, at: "frame \(fault.frame)", allowed: "whole NAL units"))
    }
    faults += (evidence.pictures?.faults ?? []).map {
      Fault($0.found, at: $0.location, allowed: "one whole picture a sample")
    }
    return judge(
      .container, found: "brand \(brand)", allowed: "an MP4 brand, samples inside mdat",
      faults: faults)
  }

  /// The first sample that does not lie inside an `mdat`.
  private var misplacedSample: Fault? {
    let data = evidence.file.topLevel.filter { $0.type == "mdat" }
    for timeline in [evidence.videoTimeline, evidence.audioTimeline].compactMap({ $0 }) {
      for (index, sample) in timeline.samples.enumerated() {
        // The last mdat that starts before the sample, by bisection.
        var (low, high) = (0, data.count)
        while low < high {
          let middle = (low + high) / 2
          if data[middle].offset <= sample.offset { low = middle + 1 } else { high = middle }
        }
        let isInside =
          low > 0
          && sample.offset + sample.size <= data[low - 1].offset + data[low - 1].size
        if !isInside {
          return Fault(
            "\(sample.size) bytes at byte \(sample.offset), outside any mdat",
            at: "sample \(index) of \(timeline.track.location)")
        }
      }
    }
    return nil
  }

  private var moovFirst: Finding {
    let file = evidence.file
    let moov = file.first("moov")
    let data = file.first("mdat")
    var faults: [Fault] = []
    if limits.moovFirst.value, let moov, let data, data.offset < moov.offset {
      faults.append(Fault("moov after mdat", at: moov.location))
    }
    return judge(
      .moovFirst, limits.moovFirst.severity, found: moov?.location ?? "none",
      allowed: limits.moovFirst.value ? "moov before mdat" : "any order", faults: faults)
  }

  private var noEditList: Finding {
    let lists = evidence.file.movie.tracks.compactMap(\.editListLocation)
    return judge(
      .noEditList, limits.editListsAllowed.severity, found: lists.isEmpty ? "none" : "edit list",
      allowed: limits.editListsAllowed.value ? "any" : "none",
      faults: limits.editListsAllowed.value ? [] : lists.map { Fault("edit list", at: $0) })
  }

  private var noFragments: Finding {
    let locations = [evidence.file.movie.fragmentsLocation, evidence.file.first("moof")?.location]
    return judge(
      .noFragments, found: "none", allowed: "none",
      faults: locations.compactMap { $0 }.map { Fault("fragments", at: $0) })
  }

  private var tracks: Finding {
    let tracks = evidence.file.movie.tracks
    let kinds = tracks.map { $0.isVideo ? "video" : $0.isAudio ? "audio" : "\($0.handler)" }
    var faults: [Fault] = []
    for kind in ["video", "audio"] where !kinds.contains(kind) {
      faults.append(Fault("no \(kind) track", at: evidence.file.first("moov")?.location))
    }
    for (index, track) in tracks.enumerated() {
      if kinds[..<index].contains(kinds[index]) || !(track.isVideo || track.isAudio) {
        faults.append(Fault(kinds.joined(separator: ", "), at: track.location))
      } else if !track.header.isEnabled {
        faults.append(Fault("a disabled \(kinds[index]) track", at: track.header.location))
      } else if track.isAudio, track.header.isMuted {
        faults.append(Fault("an audio track of volume 0", at: track.header.location))
      }
      if let lost = track.references.first(where: { number in
        !tracks.contains { $0.header.number == number.number }
      }) {
        faults.append(
          Fault("a reference to track \(lost.number), which is not there", at: lost.location))
      }
    }
    return judge(
      .tracks, found: kinds.joined(separator: ", "), allowed: "one video and one audio track",
      faults: faults)
  }

  private var metadata: Finding {
    let items = evidence.file.movie.metadata + evidence.file.metadata + evidence.unused
    return judge(
      .metadata, found: "none", allowed: "none that tells a place, a device or a name",
      faults: items.filter { $0.gapless == nil }.map { Fault($0.said, at: $0.location) }
        + messages { if case .text(let text) = $0 { text } else { nil } })
  }

  /// A cap that was asked for is hard, whatever the preset's own is.
  private var fileSize: Finding {
    let bytes = ByteCount(evidence.file.byteCount)
    let limit = ByteCount(limits.fileBytesBelow.value)
    let cap = expected.fileBytesBelow.map { min($0, limit) } ?? limit
    let breaksExpected = expected.fileBytesBelow.map { bytes >= $0 } ?? false
    return judge(
      .fileSize, breaksExpected ? .hard : limits.fileBytesBelow.severity,
      found: "\(bytes.value) bytes", allowed: "fewer than \(cap.value) bytes",
      faults: bytes < cap ? [] : [Fault("\(bytes.value) bytes", at: "byte \(cap.value)")])
  }
}
