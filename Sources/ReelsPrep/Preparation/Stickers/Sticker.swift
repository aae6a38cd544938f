internal import ReelsFFmpeg
internal import ReelsModel

/// Prepares the sticker: a still picture, upright, fitted, in 8-bit sRGB, without metadata.
struct Sticker {
  let path: FilePath
  /// The largest size; a smaller picture is not enlarged.
  let canvas: PixelSize
  let interrupt: Interrupt

  /// What goes into the payload.
  struct Made: Sendable {
    var name: String
    var mediaType: String
    var size: PixelSize
    var bytes: [UInt8]
    var warnings: [Warning]
  }

  /// A telephone's largest photo has 8064 × 6048 of them; in memory these are 400 MB at 16 bits.
  static let maximumPixels = 50_000_000
  private static let maximumBytes = ByteCount(100_000_000)
  /// A picture whose longer side has fewer pixels will hardly be seen.
  private static let tinySide = 32

  private var name: String { path.lastComponent.description }

  /// A PNG where the picture lets something shine through; else a PNG or a JPEG, whichever is
  /// smaller.
  ///
  /// - Throws: `PrepError` for what is no picture, damaged, too large or animated.
  func made() throws -> Made {
    let source = try source()
    var warnings: [Warning] = []
    do {
      let frame = try decode(source, &warnings)
      try stopIfAsked()
      let upright = try pixels(of: frame, source, &warnings)
      try stopIfAsked()
      var made = try encoded(upright)
      let longest = max(made.size.width, made.size.height)
      if longest < Self.tinySide {
        warnings.append(
          warning("tiny", "is only \(made.size) and is not enlarged: it will hardly be seen"))
      }
      if upright.isInvisible {
        warnings.append(warning("invisible", "is transparent all over: nothing of it will be seen"))
      }
      made.warnings = warnings
      return made
    } catch let error as FFmpegError {
      try stopIfAsked()
      if error.code == .outOfMemory {
        throw refused("of \(source.size) needs more memory than there is", "give a smaller one")
      }
      throw refused(
        "is damaged, or of a rare kind that is not decoded (\(error.detail ?? error.meaning))",
        "export it again as a PNG")
    }
  }

  // MARK: The file

  private func source() throws -> StickerSource {
    guard try InputFile.check(path) <= Self.maximumBytes else {
      throw refused("has more than \(Self.maximumBytes)", "give a smaller file")
    }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.read(path, limit: Self.maximumBytes)
    } catch {
      throw error.prepError(blame: .input)
    }
    guard let source = StickerSource.read(bytes) else {
      let kind = StickerSource.foreign(bytes).map { "\($0), " } ?? ""
      throw refused("is \(kind)not a JPEG, PNG or WebP picture")
    }
    if let fault = source.fault { throw refused(fault, "export or download it again") }
    if source.isAnimated {
      throw refused(
        "is animated, and a sticker is one picture", "save the frame that you want as a PNG")
    }
    guard source.size.width > 0, source.size.height > 0 else {
      throw refused("is \(source.size)")
    }
    // Both sides have 32 bits at most, so that the product fits.
    guard UInt(source.size.width) * UInt(source.size.height) <= Self.maximumPixels else {
      throw refused(
        "is \(source.size), more than \(Self.maximumPixels / 1_000_000) million pixels",
        "scale it down to \(canvas)")
    }
    return source
  }

  private func decode(
    _ source: StickerSource, _ warnings: inout [Warning]
  ) throws(FFmpegError) -> Frame {
    if source.hasHugeProfile {
      warnings.append(
        warning("profile", "has an unusually large colour profile, which is left out"))
    }
    do throws(FFmpegError) {
      return try Decoder.still(
        source.bytes, as: source.codec, subject: name, maximumPixels: Self.maximumPixels)
    } catch {
      guard let bare = source.bytesWithoutProfile, error.code != .outOfMemory else { throw error }
      let frame = try Decoder.still(
        bare, as: source.codec, subject: name, maximumPixels: Self.maximumPixels)
      warnings.append(invalidProfile)
      return frame
    }
  }

  // MARK: The picture

  private func pixels(
    of frame: borrowing Frame, _ source: StickerSource, _ warnings: inout [Warning]
  ) throws -> PixelBlock<UInt8> {
    let fitting = StickerFitting(
      source: frame.size, canvas: canvas, orientation: source.orientation)
    let profile: ColorProfile?
    if let embedded = frame.profile {
      profile = ColorProfile.read(embedded)
      if profile == nil { warnings.append(invalidProfile) }
    } else {
      profile = ColorProfile.stated(
        fileGamma: source.gamma, chromaticities: source.chromaticities)
    }
    if let inks = source.inks {
      let inks = try fitting.inks(frame, inks)
      return StickerColors.ofInks(inks, profile: profile) { warnings.append(invalidProfile) }
    }
    let fitted = try fitting.colors(frame)
    return StickerColors.ofLight(fitted, profile: profile) { warnings.append(invalidProfile) }
  }

  /// Steps of the JPEG's scale of 1 to 31; with whole chroma no difference is seen.
  private static let jpegQuality = 1

  private func encoded(_ picture: PixelBlock<UInt8>) throws(FFmpegError) -> Made {
    let hasAlpha = picture.channels == 4
    let frame = try Frame.picture(picture)
    let png = try Encoder.png(size: picture.size, hasAlpha: hasAlpha).encodeStill(frame)
    let made = Made(
      name: PayloadFile.stickerPNG, mediaType: "image/png", size: picture.size, bytes: png,
      warnings: [])
    if hasAlpha { return made }
    let graph = try FilterGraph.video(
      "scale=out_color_matrix=bt601:out_range=full:flags=accurate_rnd+full_chroma_int"
        + ",format=yuvj444p",
      from: frame.videoFormat(timeBase: Ratio(1, 25)), threads: 1)
    try graph.send(frame)
    try graph.sendEnd()
    guard case .value(let converted) = try graph.receive() else { return made }
    let jpeg = try Encoder.jpeg(
      size: picture.size, quality: Self.jpegQuality, wholeChroma: true
    ).encodeStill(converted)
    guard jpeg.count < png.count else { return made }
    return Made(
      name: PayloadFile.stickerJPEG, mediaType: "image/jpeg", size: picture.size, bytes: jpeg,
      warnings: [])
  }

  // MARK: Sentences

  private func stopIfAsked() throws {
    if interrupt.isRequested { throw CancellationError() }
  }

  private var invalidProfile: Warning {
    warning("profile", "has a colour profile that is not valid for it; it was taken as sRGB")
  }

  private func warning(_ code: String, _ fact: String) -> Warning {
    Warning(code: "sticker-\(code)", sentence: "sticker \(name) \(fact)")
  }

  private func refused(
    _ fact: String, _ wayOut: String = "give a JPEG or a PNG"
  ) -> PrepError {
    PrepError(
      code: .badSticker, sentence: "sticker \(name) \(fact); \(wayOut)", blame: .input)
  }
}
