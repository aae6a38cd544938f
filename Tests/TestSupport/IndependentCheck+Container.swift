import Foundation
import ReelsModel

extension IndependentCheck {
  func checkContainer(_ subject: Subject, _ problems: inout Problems) {
    let (boxes, probe) = (subject.boxes, subject.probe)
    problems.expect(
      .container, probe.format.formatName.split(separator: ",").contains("mp4"),
      "the format is \(probe.format.formatName)")
    problems.expect(.container, "the first box", boxes.topLevel.first, "ftyp")
    problems.expect(
      .container, probe.format.tags?["major_brand"] != "qt  ", "the brand is QuickTime's")
    problems.expect(
      .moovFirst, boxes.isMoovFirst, "the order is \(boxes.topLevel.joined(separator: " "))")
    problems.expect(
      .moovFirst, "mediainfo's IsStreamable", subject.report.general?["IsStreamable"], "Yes")
    for box in boxes.boxes where box.type == "elst" || box.type == "edts" {
      problems.expect(.noEditList, false, "\(box)")
    }
    for box in boxes.boxes where ["moof", "mvex", "sidx", "traf"].contains(box.type) {
      problems.expect(.noFragments, false, "\(box)")
    }
    let size = boxes.boxes.filter { $0.path == $0.type }.map(\.range.upperBound).max() ?? 0
    problems.expect(
      .fileSize, Int64(size) < cap, "\(size) bytes where less than \(cap) are allowed")
  }

  func checkTracks(_ subject: Subject, _ problems: inout Problems) {
    let handlers = subject.boxes.tracks.map(\.handler).sorted()
    problems.expect(.tracks, "the list of handlers", handlers, ["soun", "vide"])
    let types = subject.probe.streams.map { $0.codecType ?? "unknown" }.sorted()
    problems.expect(.tracks, "ffprobe's list of streams", types, ["audio", "video"])
    for track in subject.boxes.tracks {
      problems.expect(
        .tracks, track.entries.count == 1, "\(track.handler) has the descriptions \(track.entries)")
      problems.expect(
        .upright, track.isUpright, "the matrix of \(track.handler) is \(track.matrix)")
    }
  }

  /// Nothing may tell whose device made the source, where and when: only the muxer's name is left.
  func checkMetadata(_ subject: Subject, _ problems: inout Problems) {
    let allowed = ["meta", "meta/hdlr", "meta/ilst", "meta/ilst/©too", "meta/ilst/©too/data"]
    for box in subject.boxes.boxes {
      if ["uuid", "keys", "loci", "©xyz", "xml ", "bxml", "XMP_"].contains(box.type) {
        problems.expect(.metadata, false, "\(box)")
      } else if let udta = box.path.range(of: "udta/") {
        let inside = String(box.path[udta.upperBound...])
        problems.expect(
          .metadata, box.path.hasPrefix("moov/udta/") && allowed.contains(inside), "\(box)")
      } else if box.type == "meta" {
        problems.expect(.metadata, false, "\(box)")
      }
    }
    let ofFile: Set = ["major_brand", "minor_version", "compatible_brands", "encoder"]
    for (key, value) in subject.probe.format.tags ?? [:] where !ofFile.contains(key) {
      problems.expect(.metadata, false, "the file has \(key)=\(value)")
    }
    let ofStream: Set = ["language", "handler_name", "vendor_id", "encoder"]
    for stream in subject.probe.streams {
      for (key, value) in stream.tags ?? [:] where !ofStream.contains(key) {
        problems.expect(.metadata, false, "stream \(stream.index) has \(key)=\(value)")
      }
    }
  }
}
