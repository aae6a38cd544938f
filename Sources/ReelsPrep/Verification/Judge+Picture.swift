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
      faults.append(Fault("\(set.size) where the container says \(stated)", at: set.location))
    }
    if let location = entry.cropLocation {
      severity = .hard
      faults.append(Fault("a clap box", at: location))
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
    let found = "\(Self.decimals(aspect, 4)):1"
    return judge(
      .aspect, limits.aspect.severity, found: found,
      allowed:
        "\(Self.decimals(Self.exact(bounds.minimum), 4)):1 to "
        + "\(Self.decimals(Self.exact(bounds.maximum), 4)):1",
      faults: isInside ? [] : [Fault(found, at: place)])
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
    if let pixel = entry.pixelAspect, pixel.horizontal != pixel.vertical {
      faults.append(Fault("\(pixel.horizontal):\(pixel.vertical)", at: pixel.location))
    }
    let header = track.header
    if Int64(header.width) != Int64(entry.width) << 16
      || Int64(header.height) != Int64(entry.height) << 16
    {
      let shown = [header.width, header.height].map { side in
        Self.decimals(Ratio(Int64(side), 65536), 3)
      }
      faults.append(
        Fault(
          "\(entry.width)x\(entry.height) shown as \(shown.joined(separator: "x"))",
          at: header.location))
    }
    return judge(.squarePixels, found: "1:1", allowed: "1:1", faults: faults)
  }

  private func upright(_ track: MP4Track) -> Finding {
    let places = [
      (evidence.file.movie.matrix, evidence.file.movie.headerLocation),
      (track.header.matrix, track.header.location),
    ]
    return judge(
      .upright, found: "upright", allowed: "upright, the identity matrix",
      faults: places.filter { $0.0 != .identity }.map { Fault($0.0.effect, at: $0.1) })
  }
}
