internal import ReelsFFmpeg
internal import ReelsModel

/// Brings a picture's samples to 8-bit sRGB.
enum StillColors {
  /// - Parameters:
  ///   - picture: red, green, blue and alpha.
  ///   - profile: of its colours; nil is sRGB.
  ///   - ignored: called where the profile does not fit, and sRGB is taken.
  /// - Returns: RGBA, or RGB where nothing shines through.
  static func ofLight(
    _ picture: PixelBlock<UInt16>, profile: consuming ColorProfile?, ignored: () -> Void
  ) -> PixelBlock<UInt8> {
    let samples = picture.samples
    let count = picture.size.area
    var colors: [UInt16]?
    if let profile {
      switch profile.space {
      case .rgb:
        var light: [UInt16] = []
        light.reserveCapacity(count * 3)
        for pixel in 0..<count { light += samples[pixel * 4..<pixel * 4 + 3] }
        colors = profile.sRGB(light)
      // Of a picture in grey each of the three is the grey.
      case .gray where isGray(picture):
        colors = profile.sRGB((0..<count).map { samples[$0 * 4] })
      case .gray, .cmyk: break
      }
      if colors == nil { ignored() }
    }
    let channels = (0..<count).contains { samples[$0 * 4 + 3] < opaque } ? 4 : 3
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * channels)
    for pixel in 0..<count {
      for channel in 0..<3 {
        bytes.append(rounded(colors?[pixel * 3 + channel] ?? samples[pixel * 4 + channel]))
      }
      if channels == 4 { bytes.append(rounded(samples[pixel * 4 + 3])) }
    }
    return PixelBlock(size: picture.size, channels: channels, samples: bytes)
  }

  /// Without a profile each ink takes its complement away, as browsers have it.
  ///
  /// - Parameters:
  ///   - picture: cyan, magenta, yellow and black, 0 where there is no ink.
  ///   - ignored: called where the profile does not fit.
  static func ofInks(
    _ picture: PixelBlock<UInt16>, profile: consuming ColorProfile?, ignored: () -> Void
  ) -> PixelBlock<UInt8> {
    if let profile {
      if profile.space == .cmyk, let colors = profile.sRGB(picture.samples) {
        return PixelBlock(size: picture.size, channels: 3, samples: colors.map(rounded))
      }
      ignored()
    }
    let full = Int(UInt16.max)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(picture.size.area * 3)
    for pixel in 0..<picture.size.area {
      let black = full - Int(picture.samples[pixel * 4 + 3])
      for channel in 0..<3 {
        let light = full - Int(picture.samples[pixel * 4 + channel])
        bytes.append(rounded(UInt16(light * black / full)))
      }
    }
    return PixelBlock(size: picture.size, channels: 3, samples: bytes)
  }

  /// Below it an alpha of 8 bits is less than 255.
  private static let opaque: UInt16 = 254 * 257 + 129

  private static func rounded(_ sample: UInt16) -> UInt8 {
    UInt8((UInt32(sample) * 255 + 32_767) / 65_535)
  }

  private static func isGray(_ picture: PixelBlock<UInt16>) -> Bool {
    (0..<picture.size.area).allSatisfy {
      let pixel = picture.samples[$0 * 4..<$0 * 4 + 3]
      return pixel.allSatisfy { $0 == pixel.first }
    }
  }
}

extension PixelBlock<UInt8> {
  /// Whether alpha is 0 everywhere.
  var isInvisible: Bool {
    channels == 4 && (0..<size.area).allSatisfy { samples[$0 * 4 + 3] == 0 }
  }
}
