import ReelsModel

/// The rules of the picture's shape.
extension Judge {
  var pictureFindings: [Finding] {
    guard let track = evidence.video, let entry = track.videoEntry else { return [] }
    let first = evidence.sequences.first
    let size = first?.size ?? PixelSize(width: entry.width, height: entry.height)
    let place = first?.location ?? track.entry?.location ?? track.location
    return [
      frameSize(size, track, entry), columns(size, at: place), aspect(size, at: place),
      evenSides(size, track, entry),
      squarePixels(track, entry), upright(track),
    ]
  }

  private func frameSize(
    _ size: PixelSize, _ track: MP4Track, _ entry: MP4SampleEntry.Video
  ) -> Finding {
    let canvas = limits.canvas.value
    let fits = { (size: PixelSize, canvas: PixelSize) in
      size.width <= canvas.width && size.height <= canvas.height
    }
    let stated = PixelSize(width: entry.width, height: entry.height)
    var severity = limits.canvas.severity
    var faults: [Fault] = []
    for (size, location) in evidence.sequences.map({ ($0.size, $0.location) })
      + [(stated, track.entry?.location ?? track.location)]
    where !fits(size, canvas) && !fits(size, canvas.turned) {
      faults.append(Fault("\(size)", at: location))
    }
    if let least = limits.leastSize,
      size.width < least.value.width || size.height < least.value.height
    {
      faults.append(
        Fault(
          "\(size), and at least \(least.value) are asked for",
          at: evidence.sequences.first?.location ?? track.entry?.location))
      if least.severity == .hard { severity = .hard }
    }
    // A decoder shows what the bitstream holds: a container that says otherwise is broken.
    for set in evidence.sequences where set.size != stated {
      severity = .hard
      faults.append(
        Fault(
          "\(set.size) where the container says \(stated)", at: set.location,
          allowed: "the size that the container says"))
    }
    if let location = entry.cropLocation {
      severity = .hard
      faults.append(
        Fault("a clap box that cuts the picture", at: location, allowed: "the whole picture"))
    }
    return judge(
      .frameSize, severity, found: "\(size)",
      allowed: "at most \(canvas) or \(canvas.turned)"
        + (limits.leastSize.map { ", at least \($0.value)" } ?? ""),
      faults: faults)
  }

  private func columns(_ size: PixelSize, at place: String) -> Finding {
    let limit = limits.columnsMaximum
    return judge(
      .columns, limit.severity, found: "\(size.width)", allowed: "at most \(limit.value)",
      faults: size.width <= limit.value ? [] : [Fault("\(size.width)", at: place)])
  }

  private func aspect(_ size: PixelSize, at place: String) -> Finding {
    let bounds = limits.aspect.value
    let aspect = Ratio(Int64(size.width), over: Int64(size.height)) ?? Ratio(0)
    let isInside = aspect >= Self.exact(bounds.minimum) && aspect <= Self.exact(bounds.maximum)
    let found = Self.shape(aspect)
    return judge(
      .aspect, limits.aspect.severity, found: found,
      allowed:
        "\(Self.shape(Self.exact(bounds.minimum))) to \(Self.shape(Self.exact(bounds.maximum)))",
      faults: isInside ? [] : [Fault(found, at: place)])
  }

  /// As in "9:16"; "0.5633:1" where the numbers are large.
  private static func shape(_ aspect: Ratio) -> String {
    aspect.num <= 100 && aspect.den <= 100
      ? "\(aspect.num):\(aspect.den)" : "\(decimals(aspect, 4)):1"
  }

  private func evenSides(
    _ size: PixelSize, _ track: MP4Track, _ entry: MP4SampleEntry.Video
  ) -> Finding {
    let stated = PixelSize(width: entry.width, height: entry.height)
    let sizes =
      evidence.sequences.map { ($0.size, $0.location) }
      + [(stated, track.entry?.location ?? track.location)]
    return judge(
      .evenSides, found: "\(size)", allowed: "even width and height",
      faults: sizes.filter { $0.0.width % 2 != 0 || $0.0.height % 2 != 0 }
        .map { Fault("\($0.0)", at: $0.1) })
  }

  private func squarePixels(_ track: MP4Track, _ entry: MP4SampleEntry.Video) -> Finding {
    var faults: [Fault] = []
    for set in evidence.sequences {
      if let aspect = set.pixelAspect, aspect != Ratio(1) {
        faults.append(Fault("\(aspect.num):\(aspect.den)", at: set.location))
      }
    }
    if let pixel = entry.pixelAspect,
      pixel.horizontal != pixel.vertical || pixel.horizontal == 0
    {
      faults.append(Fault("\(pixel.horizontal):\(pixel.vertical)", at: pixel.location))
    }
    let header = track.header
    // What the sample entry says wrongly is another rule's.
    let stated = PixelSize(width: entry.width, height: entry.height)
    let size = evidence.sequences.first?.size ?? stated
    let isShown = { (size: PixelSize) in
      Int64(header.width) == Int64(size.width) << 16
        && Int64(header.height) == Int64(size.height) << 16
    }
    if !isShown(size), !isShown(stated) {
      let shown = [header.width, header.height].map { side in
        Self.decimals(Ratio(Int64(side), 65536), 3)
      }
      faults.append(
        Fault(
          "\(size) shown as \(shown.joined(separator: "x"))", at: header.location,
          allowed: "the size of the picture in tkhd"))
    }
    return judge(.squarePixels, found: "1:1", allowed: "1:1", faults: faults)
  }

  private func upright(_ track: MP4Track) -> Finding {
    let places = [
      (evidence.file.movie.matrix, evidence.file.movie.headerLocation),
      (track.header.matrix, track.header.location),
    ]
    return judge(
      .upright, found: "upright", allowed: "upright and flat, the identity matrix",
      faults: places.filter { $0.0 != .identity }.map { Fault($0.0.effect, at: $0.1) }
        + (track.videoEntry?.projections ?? []).map {
          Fault(
            $0.type == "sv3d" ? "a sphere (sv3d)" : "two views (\($0.type))", at: $0.location)
        }
        + messages { if case .orientation(let text) = $0 { text } else { nil } })
  }
}
