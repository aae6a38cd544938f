internal import ReelsFFmpeg
internal import ReelsModel

/// A payload's cover, or what a story has instead, and its sticker, and where they lie on the screen.
struct PreviewDrawing {
  private let ground: Ground
  private let sticker: StillSource?
  private let groundPlace: PixelRect
  private let stickerPlace: PixelRect?

  /// What is behind the sticker.
  private enum Ground {
    case cover(StillSource)
    case picture(StillSource)
    /// From top to bottom.
    case colors(RGBColor, RGBColor)
    case nothing
  }

  private static let screen = PixelSize(width: 1080, height: 1920)
  /// As of what `check` reads.
  private static let maximumBytes = ByteCount(32_000_000)
  /// Red that lets two thirds of the picture through.
  private static let band = "red@0.33"

  /// Reads the pictures of the payload at `directory`.
  ///
  /// - Throws: `PrepError` where one is missing or cannot be decoded.
  init(_ directory: FilePath, _ manifest: Manifest) throws(PrepError) {
    ground = try Self.ground(directory, manifest)
    let file = PayloadFile.sticker(in: manifest.files)
    sticker =
      if let file { try Self.picture(file.name, "sticker", of: directory) } else { nil }
    groundPlace =
      switch ground {
      case .cover(let picture), .picture(let picture): Self.centred(Self.filling(picture.size))
      case .colors, .nothing: Self.centred(Self.screen)
      }
    stickerPlace = (sticker?.size).map { Self.centred($0) }
  }

  func report(file: FilePath) -> PreviewReport {
    var report = PreviewReport(
      file: file, size: Self.screen, cover: nil, sticker: stickerPlace, covered: Self.covered)
    switch ground {
    case .cover: report.cover = groundPlace
    case .picture, .colors: report.background = groundPlace
    case .nothing: break
    }
    return report
  }

  private static func ground(
    _ directory: FilePath, _ manifest: Manifest
  ) throws(PrepError) -> Ground {
    if let cover = manifest.cover {
      return .cover(try picture(cover.file, "cover", of: directory))
    }
    guard let background = manifest.background else { return .nothing }
    if let file = background.file {
      return .picture(try picture(file, "background", of: directory))
    }
    guard let top = background.topColor.flatMap(RGBColor.init(parsing:)),
      let bottom = background.bottomColor.flatMap(RGBColor.init(parsing:))
    else { return .nothing }
    return .colors(top, bottom)
  }

  /// Shares of the screen that the interface covers: see `SafeAreaScan`.
  private static var covered: [PixelRect] {
    let bands = SafeAreaScan.bands(of: screen)
    return [bands.top, bands.bottom].compactMap { $0 }
  }

  /// A picture as large as the screen takes whole, in its own shape.
  private static func filling(_ size: PixelSize) -> PixelSize {
    let scale = min(
      Double(screen.width) / Double(size.width), Double(screen.height) / Double(size.height))
    return PixelSize(
      width: max(1, Int((Double(size.width) * scale).rounded())),
      height: max(1, Int((Double(size.height) * scale).rounded())))
  }

  private static func centred(_ size: PixelSize) -> PixelRect {
    PixelRect(x: (screen.width - size.width) / 2, y: (screen.height - size.height) / 2, size: size)
  }

  private static func picture(
    _ name: String, _ what: String, of directory: FilePath
  ) throws(PrepError) -> StillSource {
    func refused(_ fact: String) -> PrepError {
      PrepError(
        code: .damaged, sentence: "the \(what) of \(directory) \(fact); prepare it again",
        blame: .input)
    }
    guard !name.contains("/"), name != "..", !name.isEmpty else {
      throw refused("has a path for a name")
    }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.read(directory.appending(name), limit: maximumBytes)
    } catch {
      throw error.prepError(blame: .input)
    }
    guard let source = StillSource.read(bytes), source.fault == nil, source.size.area > 0 else {
      throw refused("is not a whole picture")
    }
    guard source.size.area <= StillReader.maximumPixels else {
      throw refused("has more than \(StillReader.maximumPixels / 1_000_000) million pixels")
    }
    return source
  }

  private static func frame(of source: StillSource) throws(FFmpegError) -> Frame {
    let frame = try Decoder.still(
      source.bytes, as: source.codec, subject: "picture", maximumPixels: StillReader.maximumPixels)
    frame.pts = 0
    return frame
  }

  private func groundFrame() throws(FFmpegError) -> Frame {
    switch ground {
    case .cover(let picture), .picture(let picture): try Self.frame(of: picture)
    case .colors(let top, let bottom): try Self.column(from: top, to: bottom)
    case .nothing: try Self.column(from: .black, to: .black)
    }
  }

  /// A column of pixels from one colour to the other, as high as the screen.
  private static func column(
    from top: RGBColor, to bottom: RGBColor
  ) throws(FFmpegError) -> Frame {
    let rows = screen.height
    let samples = (0..<rows).flatMap { row in
      [(top.red, bottom.red), (top.green, bottom.green), (top.blue, bottom.blue)].map {
        UInt8((Int($0) * (rows - 1 - row) + Int($1) * row + (rows - 1) / 2) / (rows - 1))
      }
    }
    let frame = try Frame.picture(
      PixelBlock(size: PixelSize(width: 1, height: rows), channels: 3, samples: samples))
    frame.pts = 0
    return frame
  }

  /// - Throws: `PrepError` where a picture cannot be decoded.
  func png() throws(PrepError) -> [UInt8] {
    do throws(FFmpegError) {
      return try drawn()
    } catch {
      throw PrepError(
        code: .damaged, sentence: "the payload's pictures cannot be decoded: \(error)",
        blame: .input)
    }
  }

  private func drawn() throws(FFmpegError) -> [UInt8] {
    let (size, place, screen) = (groundPlace.size, groundPlace, Self.screen)
    var chain =
      "scale=\(size.width):\(size.height):flags=lanczos+accurate_rnd+full_chroma_int,format=rgb24"
      + ",pad=\(screen.width):\(screen.height):\(place.x):\(place.y):black"
    let ground = try groundFrame()
    var formats = [ground.videoFormat(timeBase: Ratio(1, 25))]
    if let stickerPlace, let sticker {
      formats.append(try Self.frame(of: sticker).videoFormat(timeBase: Ratio(1, 25)))
      chain =
        "[in0]\(chain)[screen];[in1]scale=flags=accurate_rnd+full_chroma_int,format=rgba[sticker]"
        + ";[screen][sticker]overlay=\(stickerPlace.x):\(stickerPlace.y):format=rgb"
    }
    for band in Self.covered {
      chain +=
        ",drawbox=\(band.x):\(band.y):\(band.size.width):\(band.size.height):\(Self.band):fill"
    }
    let graph = try FilterGraph.video("\(chain),format=rgb24", from: formats, threads: 1)
    try graph.send(ground)
    if let sticker { try graph.send(try Self.frame(of: sticker), input: 1) }
    try graph.sendEnd()
    guard case .value(let picture) = try graph.receive() else {
      throw FFmpegError(code: .invalidData, operation: "filter", subject: "preview", detail: nil)
    }
    return try Encoder.png(size: picture.size, hasAlpha: false).encodeStill(picture)
  }
}
