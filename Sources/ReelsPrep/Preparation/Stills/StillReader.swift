internal import ReelsFFmpeg
internal import ReelsModel

/// Reads a still picture: upright, scaled, in 8-bit sRGB, without metadata.
struct StillReader {
  /// What the picture is for: it decides what sentences call it.
  enum Use: String {
    case sticker, picture
  }

  let path: FilePath
  let use: Use
  let interrupt: Interrupt

  /// A telephone's largest photo has 8064 × 6048 of them; in memory these are 400 MB at 16 bits.
  static let maximumPixels = 50_000_000
  private static let maximumBytes = ByteCount(100_000_000)

  private var name: String { path.lastComponent.description }

  // MARK: The file

  /// Reads the file, and decodes nothing.
  ///
  /// - Throws: `PrepError` for what is no picture, cut short, too large or animated.
  func source() throws -> StillSource {
    guard try InputFile.check(path) <= Self.maximumBytes else {
      throw refused("has more than \(Self.maximumBytes)", "give a smaller file")
    }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileSystem.read(path, limit: Self.maximumBytes)
    } catch {
      throw error.prepError(blame: .input)
    }
    guard let source = StillSource.read(bytes) else {
      let kind = StillSource.foreign(bytes).map { "\($0), " } ?? ""
      throw refused("is \(kind)not a JPEG, PNG or WebP picture")
    }
    if let fault = source.fault { throw refused(fault, "export or download it again") }
    if source.isAnimated {
      throw refused(
        use == .sticker
          ? "is animated, and a sticker is one picture" : "is animated, and no video that is read",
        "save the frame that you want as a PNG")
    }
    guard source.size.width > 0, source.size.height > 0 else {
      throw refused("is \(source.size)")
    }
    // Both sides have 32 bits at most, so that the product fits.
    guard UInt(source.size.width) * UInt(source.size.height) <= Self.maximumPixels else {
      throw refused(
        "is \(source.size), more than \(Self.maximumPixels / 1_000_000) million pixels",
        "scale it down")
    }
    return source
  }

  // MARK: The picture

  /// Decodes a source to a size.
  ///
  /// - Parameter size: what to make of the size in which it is stored.
  /// - Returns: RGBA, or RGB where nothing shines through.
  /// - Throws: `PrepError` for what is damaged; `CancellationError`.
  func pixels(
    of source: StillSource, _ warnings: inout [Warning], size: (PixelSize) -> PixelSize
  ) throws -> PixelBlock<UInt8> {
    do throws(FFmpegError) {
      let frame = try decode(source, &warnings)
      guard !interrupt.isRequested else {
        throw FFmpegError(code: .interrupted, operation: "decode", subject: name, detail: nil)
      }
      let fitting = StillFitting(
        source: frame.size, size: size(frame.size), orientation: source.orientation)
      return try pixels(of: frame, source, fitting, &warnings)
    } catch {
      if interrupt.isRequested { throw CancellationError() }
      if error.code == .outOfMemory {
        throw refused("of \(source.size) needs more memory than there is", "give a smaller one")
      }
      throw refused(
        "is damaged, or of a rare kind that is not decoded (\(error.detail ?? error.meaning))",
        "export it again as a PNG")
    }
  }

  private func decode(
    _ source: StillSource, _ warnings: inout [Warning]
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

  private func pixels(
    of frame: borrowing Frame, _ source: StillSource, _ fitting: StillFitting,
    _ warnings: inout [Warning]
  ) throws(FFmpegError) -> PixelBlock<UInt8> {
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
      return StillColors.ofInks(inks, profile: profile) { warnings.append(invalidProfile) }
    }
    let fitted = try fitting.colors(frame)
    return StillColors.ofLight(fitted, profile: profile) { warnings.append(invalidProfile) }
  }

  // MARK: Sentences

  private var invalidProfile: Warning {
    warning("profile", "has a colour profile that is not valid for it; it was taken as sRGB")
  }

  private var subject: String { use == .sticker ? "sticker \(name)" : name }

  /// - Parameter fact: as in "is only 2x2".
  func warning(_ code: String, _ fact: String) -> Warning {
    Warning(code: "\(use.rawValue)-\(code)", sentence: "\(subject) \(fact)")
  }

  func refused(_ fact: String, _ wayOut: String = "give a JPEG or a PNG") -> PrepError {
    PrepError(
      code: use == .sticker ? .badSticker : .badPicture, sentence: "\(subject) \(fact); \(wayOut)",
      blame: .input)
  }
}
