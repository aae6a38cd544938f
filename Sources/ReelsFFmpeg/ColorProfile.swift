internal import CLittleCMS

/// An ICC profile, and the way from its colours to sRGB.
package struct ColorProfile: ~Copyable {
  private let handle: cmsHPROFILE
  /// What its colours are made of.
  package let space: Space

  package enum Space: Hashable, Sendable {
    case gray, rgb, cmyk

    var channels: Int {
      switch self {
      case .gray: 1
      case .rgb: 3
      case .cmyk: 4
      }
    }

    fileprivate var format: UInt32 {
      switch self {
      case .gray: rp_lcms_gray_16
      case .rgb: rp_lcms_rgb_16
      case .cmyk: rp_lcms_cmyk_16
      }
    }
  }

  /// Profiles of printers have up to 3 MB; what is larger is no picture's.
  package static let maximumBytes = 8 << 20

  /// Two gammas or coordinates that differ by less than this are taken as equal: sRGB's own gamma
  /// is written as 0.45455, and files say 0.45 or 0.4586 for it.
  private static let nearby = 0.02

  deinit { cmsCloseProfile(handle) }

  /// Reads a profile.
  ///
  /// - Returns: nil where it is invalid, too large, or of other colours than grey, RGB and CMYK
  ///   (`cmsOpenProfileFromMem`).
  package static func read(_ bytes: [UInt8]) -> ColorProfile? {
    guard bytes.count >= 128, bytes.count <= maximumBytes,
      let handle = cmsOpenProfileFromMem(bytes, UInt32(bytes.count))
    else { return nil }
    let space: Space? =
      switch cmsGetColorSpace(handle) {
      case cmsSigGrayData: .gray
      case cmsSigRgbData: .rgb
      case cmsSigCmykData: .cmyk
      default: nil
      }
    guard let space else {
      cmsCloseProfile(handle)
      return nil
    }
    return ColorProfile(handle: handle, space: space)
  }

  /// The profile of a PNG's gAMA and cHRM chunks (PNG, third edition, 11.3.2).
  ///
  /// - Parameters:
  ///   - fileGamma: Of the file, as in 0.45455; nil is sRGB's.
  ///   - chromaticities: x and y of white, red, green and blue; nil is sRGB's.
  /// - Returns: nil where they say sRGB, nearly, or nothing that can be (`cmsCreateRGBProfile`).
  package static func stated(fileGamma: Double?, chromaticities: [Double]?) -> ColorProfile? {
    let srgb = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06]
    let points = chromaticities ?? srgb
    let gamma = fileGamma ?? 1 / 2.2
    guard points.count == 8, points.allSatisfy({ (0...1).contains($0) }), points[1] > 0,
      (0.1...1.5).contains(gamma)
    else { return nil }
    let isNear =
      abs(gamma - 1 / 2.2) < nearby
      && zip(points, srgb).allSatisfy { abs($0 - $1) < nearby }
    guard !isNear else { return nil }
    var white = cmsCIExyY(x: points[0], y: points[1], Y: 1)
    var primaries = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: points[2], y: points[3], Y: 1),
      Green: cmsCIExyY(x: points[4], y: points[5], Y: 1),
      Blue: cmsCIExyY(x: points[6], y: points[7], Y: 1))
    // Where only the primaries are told, the curve is sRGB's: IEC 61966-2-1.
    let curve =
      fileGamma == nil
      ? cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
      : cmsBuildGamma(nil, 1 / gamma)
    guard let curve else { return nil }
    defer { cmsFreeToneCurve(curve) }
    var curves: [OpaquePointer?] = [curve, curve, curve]
    guard let handle = cmsCreateRGBProfile(&white, &primaries, &curves) else { return nil }
    return ColorProfile(handle: handle, space: .rgb)
  }

  /// Brings colours to sRGB: relative colorimetric with black point compensation, so that white
  /// stays white, black black, and what both can show is exact.
  ///
  /// - Parameter samples: 16 bits, `space`'s channels interleaved; of CMYK 0 is no ink.
  /// - Returns: red, green and blue of 16 bits for each; nil where the profile does not lead
  /// anywhere
  ///   (`cmsCreateTransform`).
  package func sRGB(_ samples: [UInt16]) -> [UInt16]? {
    guard let target = cmsCreate_sRGBProfile() else { return nil }
    defer { cmsCloseProfile(target) }
    guard
      let transform = cmsCreateTransform(
        handle, space.format, target, rp_lcms_rgb_16, UInt32(INTENT_RELATIVE_COLORIMETRIC),
        UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_HIGHRESPRECALC))
    else { return nil }
    defer { cmsDeleteTransform(transform) }
    let count = samples.count / space.channels
    return [UInt16](unsafeUninitializedCapacity: count * 3) { buffer, filled in
      cmsDoTransform(transform, samples, buffer.baseAddress, UInt32(count))
      filled = count * 3
    }
  }
}
