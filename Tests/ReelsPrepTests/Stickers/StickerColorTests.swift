import Foundation
import ReelsModel
import TestSupport
import Testing

@testable import ReelsPrep

@Suite(.enabled(if: Tool.ffmpeg.isAvailable, "needs the ffmpeg command to decode"))
struct StickerColorTests {
  private static let photo: [UInt8] = [200, 100, 50]

  private static func flat(
    _ pixel: [UInt8], _ before: [UInt8] = [], kind: UInt8 = 2
  ) -> [UInt8] {
    StickerBytes.png(64, 48, kind: kind, before: before) { _, _ in pixel }
  }

  /// IEC 61966-2-1, both ways.
  private static func linear(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
  private static func coded(_ value: Double) -> Int {
    let value = min(1, max(0, value))
    return Int(
      ((value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055) * 255)
        .rounded())
  }

  /// From linear Display P3 to linear sRGB (CSS Color 4, 18).
  private static let p3ToSRGB = [
    [1.2249401, -0.2249402, 0], [-0.0420570, 1.0420571, 0], [-0.0196376, -0.0786361, 1.0982736],
  ]

  private static var photoFromP3: [Int] {
    let light = photo.map { linear(Double($0) / 255) }
    return p3ToSRGB.map { row in coded(zip(row, light).map { $0 * $1 }.reduce(0, +)) } + [255]
  }

  @Test func `without a profile a picture keeps its colours to the bit`() throws {
    let trial = try StickerTrial.make(Self.flat(Self.photo))
    #expect(trial.color(0.5, 0.5) == [200, 100, 50, 255])
    #expect(trial.made.warnings.isEmpty)
  }

  @Test func `Display P3 becomes sRGB, with alpha and without`() throws {
    let profile = StickerBytes.iCCP(StickerBytes.displayP3)
    let opaque = try StickerTrial.make(Self.flat(Self.photo, profile))
    #expect(StickerTrial.isNear(opaque.color(0.5, 0.5), Self.photoFromP3))
    #expect(!StickerTrial.isNear(opaque.color(0.5, 0.5), [200, 100, 50, 255]))
    let clear = try StickerTrial.make(Self.flat(Self.photo + [128], profile, kind: 6))
    #expect(StickerTrial.isNear(clear.color(0.5, 0.5), Self.photoFromP3.dropLast() + [128]))
  }

  @Test func `the profile of a JPEG counts as that of a PNG`() throws {
    let jpeg = try StickerTrial.converted(
      Self.flat(Self.photo), to: "a.jpg", ["-q:v", "1", "-qmin", "1", "-pix_fmt", "yuvj444p"])
    let profile = StickerBytes.segment(
      0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + StickerBytes.displayP3)
    let trial = try StickerTrial.make(StickerBytes.inserting(profile, into: jpeg))
    #expect(StickerTrial.isNear(trial.color(0.5, 0.5), Self.photoFromP3, within: 3))
  }

  @Test func `a grey profile is taken for a grey picture alone`() throws {
    let profile = StickerBytes.iCCP(StickerBytes.gray18)
    let gray = try StickerTrial.make(Self.flat([100], profile, kind: 0))
    let expected = Self.coded(pow(100.0 / 255, 1.8))
    #expect(StickerTrial.isNear(gray.color(0.5, 0.5), [expected, expected, expected, 255]))
    #expect(expected < 125 && expected > 103)
    let color = try StickerTrial.make(Self.flat(Self.photo, profile))
    #expect(color.color(0.5, 0.5) == [200, 100, 50, 255])
    #expect(color.made.warnings.map(\.code) == ["sticker-profile"])
  }

  @Test func `a profile that is none is left out with a warning`() throws {
    let noise = (0..<2_000).map { UInt8(truncatingIfNeeded: $0 * 7919) }
    for profile in [noise, Array(StickerBytes.displayP3.prefix(200))] {
      let trial = try StickerTrial.make(Self.flat(Self.photo, StickerBytes.iCCP(profile)))
      #expect(trial.color(0.5, 0.5) == [200, 100, 50, 255])
      #expect(trial.made.warnings.map(\.code) == ["sticker-profile"])
    }
    // A chunk that is no zlib stream.
    let broken = StickerBytes.chunk("iCCP", [0x70, 0, 0] + noise)
    let trial = try StickerTrial.make(Self.flat(Self.photo, broken))
    #expect(trial.color(0.5, 0.5) == [200, 100, 50, 255])
    #expect(trial.made.warnings.map(\.code) == ["sticker-profile"])
  }

  @Test func `a giant profile is not unpacked`() throws {
    let huge = StickerBytes.displayP3 + [UInt8](repeating: 0, count: 300_000)
    let png = try StickerTrial.make(Self.flat(Self.photo, StickerBytes.iCCP(huge)))
    #expect(png.color(0.5, 0.5) == [200, 100, 50, 255])
    #expect(png.made.warnings.first?.sentence.contains("unusually large") == true)
  }

  @Test func `a PNG's own gamma and primaries count where they are clearly others`() throws {
    func gamma(_ value: Int) -> [UInt8] { StickerBytes.chunk("gAMA", StickerBytes.big(value)) }
    let gray: [UInt8] = [128, 128, 128]
    let near = try StickerTrial.make(Self.flat(gray, gamma(45_000)))
    #expect(near.color(0.5, 0.5) == [128, 128, 128, 255])
    let unknown = try StickerTrial.make(Self.flat(gray, gamma(100_000)))
    #expect(unknown.color(0.5, 0.5) == [128, 128, 128, 255])
    let other = try StickerTrial.make(Self.flat(gray, gamma(55_556)))
    let expected = Self.coded(pow(128.0 / 255, 1.8))
    #expect(StickerTrial.isNear(other.color(0.5, 0.5), [expected, expected, expected, 255]))
    let both = gamma(55_556) + StickerBytes.chunk("sRGB", [0])
    #expect(try StickerTrial.make(Self.flat(gray, both)).color(0.5, 0.5) == [128, 128, 128, 255])
  }

  @Test(arguments: [[1, 2, 3, 4], Array("CMYK".utf8)] as [[UInt8]])
  func `Photoshop's inks are the other way round than print's`(names: [UInt8]) throws {
    // No cyan, half of the magenta, all of the yellow, a fifth of black.
    let jpeg = StickerBytes.fourComponents([255, 128, 0, 204], transform: 0, names: names)
    let trial = try StickerTrial.make(jpeg)
    #expect(StickerTrial.isNear(trial.color(0.5, 0.5), [204, 102, 0, 255]))
  }

  @Test func `inks as a colour difference are turned back first`() throws {
    // 30 % of grey as cyan, magenta and yellow, and no black.
    let jpeg = StickerBytes.fourComponents([77, 128, 128, 255], transform: 2, names: [1, 2, 3, 4])
    let trial = try StickerTrial.make(jpeg)
    #expect(StickerTrial.isNear(trial.color(0.5, 0.5), [178, 178, 178, 255]))
  }

  @Test func `a profile of light does not fit inks`() throws {
    let jpeg = StickerBytes.fourComponents(
      [255, 255, 255, 128], transform: 0, names: [1, 2, 3, 4], profile: StickerBytes.displayP3)
    let trial = try StickerTrial.make(jpeg)
    #expect(StickerTrial.isNear(trial.color(0.5, 0.5), [128, 128, 128, 255]))
    #expect(trial.made.warnings.contains { $0.code == "sticker-profile" })
  }
}
