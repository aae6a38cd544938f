/// Finds what a file says beside its media: places, devices, names.
enum MP4Metadata {
  /// One piece of metadata.
  struct Item: Hashable, Sendable {
    /// A box type or a key, as in "©xyz" or "com.apple.quicktime.location.ISO6709".
    let name: String
    let location: String
    /// Of `iTunSMPB`, which tells nothing of a person: samples of priming, padding and sound.
    var gapless: String?

    /// The name, and what it stands for where that is known.
    var said: String { MP4Metadata.meanings[name].map { "\(name), \($0)" } ?? name }
  }

  /// Apple, QuickTime File Format, "User data atoms"; 3GPP TS 26.244, 8.
  private static let meanings = [
    "©xyz": "the place", "loci": "the place", "©mak": "the maker of the camera",
    "©mod": "the camera's model", "©swr": "the camera's software", "©nam": "a title",
    "©ART": "an artist", "©aut": "an author", "©day": "a date", "©cmt": "a comment",
    "auth": "an author", "titl": "a title", "covr": "a picture", "sefd": "a camera's own data",
    "com.apple.quicktime.location.ISO6709": "the place",
    "com.apple.quicktime.make": "the maker of the camera",
    "com.apple.quicktime.model": "the camera's model",
  ]

  /// The most pieces that are listed of one box.
  private static let maximumItems = 64

  /// What `udta`, `meta` or `uuid` hold; nothing for other boxes.
  ///
  /// A tag with the encoder's name (`©too`) says nothing of a person and is left out. What cannot
  /// be read is listed by the box's name: it may hold anything.
  static func items(of box: MP4Box) -> [Item] {
    switch box.type {
    case "uuid": [Item(name: "uuid", location: box.location)]
    case "udta": Array(userData(box).prefix(maximumItems))
    case "meta": Array(meta(box).prefix(maximumItems))
    default: []
    }
  }

  private static func userData(_ box: MP4Box) -> [Item] {
    guard let children = try? box.children() else {
      return [Item(name: "udta", location: box.location)]
    }
    return children.prefix(maximumItems).flatMap { child in
      switch child.type {
      case "meta": meta(child)
      case "free", "skip", "©too", "©enc": [Item]()
      default: [Item(name: "\(child.type)", location: child.location)]
      }
    }
  }

  private static func meta(_ box: MP4Box) -> [Item] {
    // QuickTime's `meta` has no version: there the first child starts at once.
    let startsAtOnce = box.payload.dropFirst(4).prefix(4).elementsEqual("hdlr".utf8)
    guard let children = try? box.children(after: startsAtOnce ? 0 : 4) else {
      return [Item(name: "meta", location: box.location)]
    }
    let keys = children.first { $0.type == "keys" }.map(keys(of:)) ?? []
    var items: [Item] = []
    for child in children.prefix(maximumItems) {
      switch child.type {
      case "hdlr", "keys", "free", "skip": continue
      case "ilst":
        guard let tags = try? child.children() else {
          items.append(Item(name: "ilst", location: child.location))
          continue
        }
        for tag in tags.prefix(maximumItems) {
          let index = Int(tag.type.rawValue) - 1
          let name = keys.indices.contains(index) ? keys[index] : "\(tag.type)"
          if let text = gapless(tag) {
            items.append(Item(name: "iTunSMPB", location: tag.location, gapless: text))
          } else if name != "©too", name != "encoder" {
            items.append(Item(name: name, location: tag.location))
          }
        }
      default: items.append(Item(name: "\(child.type)", location: child.location))
      }
    }
    return items
  }

  /// The text of a free-form tag `com.apple.iTunes:iTunSMPB`; nil for every other tag.
  private static func gapless(_ tag: MP4Box) -> String? {
    guard tag.type == "----", let children = try? tag.children() else { return nil }
    let payload = { (type: FourCC, prefix: Int) in
      children.first { $0.type == type }.map {
        String(decoding: $0.payload.dropFirst(prefix).prefix(200), as: UTF8.self)
      }
    }
    guard payload("name", 4) == "iTunSMPB" else { return nil }
    return payload("data", 8)
  }

  /// The names that `ilst` refers to by number.
  private static func keys(of box: MP4Box) -> [String] {
    var names: [String] = []
    var reader = box.reader
    do throws(Malformed) {
      try reader.skip(8)
      while reader.remaining >= 8, names.count < maximumItems {
        let size = Int(try reader.u32())
        try reader.skip(4)
        names.append(String(decoding: try reader.take(size - 8).prefix(200), as: UTF8.self))
      }
    } catch {
      return names
    }
    return names
  }
}
