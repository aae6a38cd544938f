internal import ReelsModel

/// Finds boxes that do not belong where they stand: what no player reads may tell anything of a person.
///
/// ISO/IEC 14496-12, table 1, with Apple's QuickTime File Format for what cameras write beside it.
enum MP4Foreign {
  /// What a container holds of its own.
  private static let children: [FourCC: Set<FourCC>] = [
    "moov": ["mvhd", "trak", "mvex", "iods", "rmra", "cmov", "pssh", "ctab", "prfl", "clip"],
    "trak": [
      "tkhd", "edts", "mdia", "tref", "tapt", "load", "imap", "clip", "matt", "kmat", "txas",
      "trgr",
    ],
    "edts": ["elst"],
    "mdia": ["mdhd", "hdlr", "minf", "elng"],
    "minf": ["vmhd", "smhd", "hmhd", "nmhd", "sthd", "gmhd", "hdlr", "dinf", "stbl"],
    "stbl": [
      "stsd", "stts", "ctts", "cslg", "stsc", "stsz", "stz2", "stco", "co64", "stss", "stps",
      "sdtp",
      "sbgp", "sgpd", "subs", "saiz", "saio", "stsh", "padb", "stdp",
    ],
  ]
  /// What a sample entry holds of its own, after its fields.
  private static let entryChildren: Set<FourCC> = [
    "avcC", "hvcC", "lhvC", "av1C", "vpcC", "esds", "glbl", "d263", "colr", "pasp", "clap", "btrt",
    "fiel", "gama", "chrm", "ccst", "auxi", "dvcC", "dvvC", "dvwC", "mdcv", "clli", "SmDm", "CoLL",
    "amve", "st3d", "sv3d", "vexu", "hfov", "sinf", "wave", "chan", "dOps", "dfLa", "dac3", "dec3",
    "alac", "ddts", "samr", "damr", "pinf", "SA3D", "srat", "chnl", "ludt", "m4ds",
  ]
  private static let padding: Set<FourCC> = ["free", "skip", "wide"]
  /// At the top of a file.
  private static let topLevel: Set<FourCC> = [
    "ftyp", "styp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "pdin", "pnot", "PICT", "prft",
    "emsg", "udta", "meta", "uuid",
  ]

  /// The most findings that are listed.
  private static let maximumItems = 64

  /// All that `moov` holds beside what describes its media.
  static func items(inMovie moov: MP4Box) throws(Malformed) -> [MP4Metadata.Item] {
    try items(moov, depth: 0)
  }

  private static func items(_ box: MP4Box, depth: Int) throws(Malformed) -> [MP4Metadata.Item] {
    guard depth < 8, let known = children[box.type] else { return [] }
    var found: [MP4Metadata.Item] = []
    for child in try box.children() {
      guard found.count < maximumItems else { break }
      if padding.contains(child.type) {
        found += hidden(child.payload, child.type, child.location)
      } else if known.contains(child.type) {
        found += child.type == "stsd" ? try entries(child) : try items(child, depth: depth + 1)
        if child.type == "hdlr" { found += name(handler: child) }
      } else {
        let inside = MP4Metadata.items(of: child)
        let isMetadata = ["udta", "meta", "uuid"].contains(child.type)
        found += isMetadata ? inside : [item(child)]
      }
    }
    return found
  }

  private static func item(_ box: MP4Box) -> MP4Metadata.Item {
    MP4Metadata.Item(name: "\(box.type)", location: box.location)
  }

  /// What `stsd` holds: fields of 78 bytes for video, of 28 for sound; other entries are not looked into.
  private static func entries(_ stsd: MP4Box) throws(Malformed) -> [MP4Metadata.Item] {
    var found: [MP4Metadata.Item] = []
    for entry in try stsd.children(after: 8).prefix(8) {
      let isVideo = MP4SampleEntry.isVideo(entry.type)
      if isVideo { found += name(compressor: entry) }
      guard isVideo || entry.type == "mp4a",
        let inside = try? entry.children(after: isVideo ? 78 : MP4SampleEntry.audioFields(entry))
      else { continue }
      for child in inside {
        if padding.contains(child.type) {
          found += hidden(child.payload, child.type, child.location)
        } else if !entryChildren.contains(child.type) {
          found.append(item(child))
        }
      }
    }
    return found
  }

  // MARK: Top of the file

  /// Boxes beside `moov`: unknown ones, and text in padding.
  ///
  /// - Returns: also what is no box at all.
  static func items(
    ofFile boxes: [MP4File.TopLevelBox], _ bytes: borrowing FileBytes
  ) throws(Malformed) -> (items: [MP4Metadata.Item], faults: [MP4Fault]) {
    var items: [MP4Metadata.Item] = []
    var faults: [MP4Fault] = []
    for box in boxes where items.count < maximumItems && faults.count < maximumItems {
      if padding.contains(box.type) {
        items += try hidden(box, bytes)
      } else if !box.type.isPrintable {
        faults.append(
          MP4Fault(found: "\(box.size) bytes that are no box", location: "byte \(box.offset)"))
      } else if !topLevel.contains(box.type) {
        items.append(MP4Metadata.Item(name: "\(box.type)", location: box.location))
      }
    }
    return (items, faults)
  }

  /// As much of padding as is looked into, in bytes: more than any editor leaves behind.
  private static let maximumPadding: Int64 = 64 << 20

  private static func hidden(
    _ box: MP4File.TopLevelBox, _ bytes: borrowing FileBytes
  ) throws(Malformed) -> [MP4Metadata.Item] {
    var position = box.offset + 8
    let end = min(box.offset + box.size, position + maximumPadding)
    while position < end {
      let count = min(end - position, 1 << 20)
      let part = try bytes.read(at: position, count: Int(count))
      let found = hidden(part[...], box.type, box.location)
      if !found.isEmpty { return found }
      position += count
    }
    return []
  }

  /// Padding is zeros, or the name of a tool: text in it is often what an editor only renamed.
  private static func hidden(
    _ payload: ArraySlice<UInt8>, _ type: FourCC, _ location: String
  ) -> [MP4Metadata.Item] {
    guard let first = payload.firstIndex(where: { $0 != 0 }) else { return [] }
    let text = String(decoding: payload[first...].prefix(80), as: UTF8.self)
    if text.hasPrefix("IsoMedia File Produced with GPAC") { return [] }
    return [MP4Metadata.Item(name: "\(type) that is not empty", location: location)]
  }

  // MARK: Names

  /// Words of which the names of handlers and encoders are made, as tools write them: they tell the tool.
  private static let plainWords: Set<String> = [
    "video", "videohandler", "videohandle", "sound", "soundhandler", "soundhandle", "audio",
    "audiohandler",
    "media", "handler", "handle", "track", "core", "apple", "iso", "file", "gpac", "l-smash",
    "mainconcept",
    "data", "alias", "datahandler", "hint", "stereo", "mono", "main", "bento4", "produced", "by",
    "google",
    "inc", "inc.", "with", "the", "mp4", "subtitle", "subtitlehandler", "text", "timecode",
    "timecodehandler", "metahandle", "metahandler", "scene", "object", "descriptor", "vpc", "aom",
    "time",
    "code",
    "url", "file", "aac", "avc", "hevc", "h.264", "h264", "h.265", "h265", "av1", "mpeg-4", "mpeg4",
    "jvt/avc",
    "coding", "encoder", "codec", "decoder", "libx264", "libx265", "libopenh264", "x264", "x265",
    "handbrake",
    "isomedia", "-", "/", "vimeo", "artax", "twitter-vork", "muxer", "adobe", "alis", "vide",
    "soun", "meta",
    "metadata", "chapter", "chapters", "english", "und", "movie", "quicktime", "shotcut", "version",
  ]

  private static func isPlain(_ text: String) -> Bool {
    // libavcodec and its encoders: it says what encoded, and nothing of who.
    if text.hasPrefix("Lavc"), text.split(separator: " ").count <= 2 { return true }
    return text.lowercased().split(separator: " ").allSatisfy { word in
      plainWords.contains(String(word)) || word.hasPrefix("lav") || word.hasPrefix("x26")
        || word.hasPrefix("lib")
        || word.allSatisfy { $0.isNumber || $0 == "." || $0 == "@" || $0 == "(" || $0 == ")" }
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    // QuickTime's names start with their length.
    if let first = bytes.first, first < 64, Int(first) <= bytes.count - 1 {
      bytes = bytes.dropFirst().prefix(Int(first))
    }
    return String(decoding: bytes.prefix { $0 != 0 }.prefix(100), as: UTF8.self)
  }

  private static func name(handler box: MP4Box) -> [MP4Metadata.Item] {
    named(text(box.payload.dropFirst(24)), "a handler named", box.location)
  }

  private static func name(compressor entry: MP4Box) -> [MP4Metadata.Item] {
    // Its length, then 31 bytes.
    named(text(entry.payload.dropFirst(42).prefix(32)), "an encoder named", entry.location)
  }

  private static func named(
    _ text: String, _ what: String, _ location: String
  ) -> [MP4Metadata.Item] {
    let text = text.trimmed
    if text.isEmpty || isPlain(text) { return [] }
    return [MP4Metadata.Item(name: "\(what) \(text)".singleLine, location: location)]
  }
}

extension String {
  fileprivate var trimmed: String {
    let isOuter = { (letter: Character) in letter.isWhitespace || letter.isNewline }
    return String(drop(while: isOuter).reversed().drop(while: isOuter).reversed())
  }
}
