internal import ReelsFFmpeg
internal import ReelsModel

/// A payload's cover and sticker, and where they lie on the screen.
struct PreviewDrawing {
  private let cover: StickerSource
  private let sticker: StickerSource?
  private let coverPlace: PixelRect
  private let stickerPlace: PixelRect?

  private static let screen = PixelSize(width: 1080, height: 1920)
  /// As of what `check` reads.
  private static let maximumBytes = ByteCount(32_000_000)
  /// Red that lets two thirds of the picture through.
  private static let band = "red@0.33"

  /// Reads the pictures of the payload at `directory`.
  ///
  /// - Throws: `PrepError` where one is missing or cannot be decoded.
  init(_ directory: FilePath, _ manifest: Manifest) throws(PrepError) {
    cover = try Self.picture(manifest.cover.file, "cover", of: directory)
    let file = PayloadFile.sticker(in: manifest.files)
    sticker =
      if let file { try Self.picture(file.name, "sticker", of: directory) } else { nil }
    coverPlace = Self.centred(Self.filling(cover.size))
    stickerPlace = (sticker?.size).map { Self.centred($0) }
  }

  func report(file: FilePath) -> PreviewReport {
    PreviewReport(
      file: file, size: Self.screen, cover: coverPlace, sticker: stickerPlace,
      covered: Self.covered)
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
  ) throws(PrepError) -> StickerSource {
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
    guard let source = StickerSource.read(bytes), source.fault == nil, source.size.area > 0 else {
      throw refused("is not a whole picture")
    }
    guard source.size.area <= Sticker.maximumPixels else {
      throw refused("has more than \(Sticker.maximumPixels / 1_000_000) million pixels")
    }
    return source
  }

  private static func frame(of source: StickerSource) throws(FFmpegError) -> Frame {
    let frame = try Decoder.still(
      source.bytes, as: source.codec, subject: "picture", maximumPixels: Sticker.maximumPixels)
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
    let (size, place, screen) = (coverPlace.size, coverPlace, Self.screen)
    var chain =
      "scale=\(size.width):\(size.height):flags=lanczos+accurate_rnd+full_chroma_int,format=rgb24"
      + ",pad=\(screen.width):\(screen.height):\(place.x):\(place.y):black"
    let cover = try Self.frame(of: cover)
    var formats = [cover.videoFormat(timeBase: Ratio(1, 25))]
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
    try graph.send(cover)
    if let sticker { try graph.send(try Self.frame(of: sticker), input: 1) }
    try graph.sendEnd()
    guard case .value(let picture) = try graph.receive() else {
      throw FFmpegError(code: .invalidData, operation: "filter", subject: "preview", detail: nil)
    }
    return try Encoder.png(size: picture.size, hasAlpha: false).encodeStill(picture)
  }
}
