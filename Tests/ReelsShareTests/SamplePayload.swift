import Foundation
import ReelsModel

@testable import ReelsShare

/// A payload directory in a temporary place, removed when it goes away.
final class SamplePayload {
  let url: URL
  var manifest: Manifest

  /// - Parameter files: Every file's contents by name.
  init(_ files: [String: Data] = ["video.mp4": Data("video".utf8)], share: [Share]) throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).reel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    manifest = Manifest(
      tool: Manifest.Tool(name: "reels-prep", version: "0.1.0"),
      preset: Manifest.PresetReference(name: "reels", revision: 1, source: "s", date: "2026"),
      files: [],
      video: Manifest.Video(
        width: 1080, height: 1920, frameRate: Ratio(30), frames: 90,
        durationSeconds: MediaTime(seconds: 3), videoCodec: "h264", profile: "High",
        level: "4.0", audioCodec: "aac", sampleRate: 48_000, channels: 2,
        bitRate: BitsPerSecond(1)),
      cover: Manifest.Cover(file: "cover.jpg", timeSeconds: .zero),
      window: Plan.Window(requestedStart: .zero, start: .zero, duration: MediaTime(seconds: 3)),
      source: Manifest.Source(
        name: "a.mov", bytes: 1,
        fingerprint: Manifest.Fingerprint(
          bytes: 1, modified: .zero, headSHA256: "", tailSHA256: ""),
        container: "mov", videoCodec: "h264", size: PixelSize(width: 1, height: 1),
        sampleAspect: Ratio(1), orientation: .upright, pixelFormat: "yuv420p", color: .bt709,
        interlaced: false, constantFrameRate: nil, audioCodec: nil, audioTracks: 0),
      steps: [], warnings: [], damage: Manifest.Damage(framesConcealed: 0, share: 0),
      share: share,
      work: Manifest.Work(
        framesEncoded: 0, framesOut: 0, encodesPerFrame: 0, cpuSeconds: 0, wallSeconds: 0,
        inspectCPUSeconds: 0, transcodeCPUSeconds: 0, finishCPUSeconds: 0, capShare: 0))
    for (name, data) in files.sorted(by: { $0.key < $1.key }) {
      try data.write(to: url.appendingPathComponent(name))
      manifest.files.append(
        Manifest.File(
          name: name, bytes: Int64(data.count), sha256: SHA256Digest.hexadecimal(data),
          mediaType: "application/octet-stream"))
    }
    try writeManifest()
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func writeManifest() throws {
    try JSONEncoder().encode(manifest).write(to: url.appendingPathComponent(Manifest.fileName))
  }

  func open() throws -> SharePayload { try SharePayload(contentsOf: url) }

  /// Reels as the manifest lays it out, with a sticker.
  static let reels = Share(
    destination: "instagram-reels",
    ios: Share.IOS(
      url: "instagram-reels://share", querySchemes: ["instagram-reels"],
      pasteboard: [
        ["com.instagram.sharedSticker.backgroundVideo": .file("video.mp4")],
        ["com.instagram.sharedSticker.stickerImage": .file("sticker.png")],
        ["com.instagram.sharedSticker.appID": .appSupplies("appID")],
      ], expirationSeconds: 300, localOnly: true))

  static let stories = Share(
    destination: "instagram-stories",
    ios: Share.IOS(
      url: "instagram-stories://share?source_application={appID}",
      querySchemes: ["instagram-stories"],
      pasteboard: [["com.instagram.sharedSticker.backgroundVideo": .file("video.mp4")]],
      expirationSeconds: 300, localOnly: true))

  static let video = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  static let files = [
    "video.mp4": video, "sticker.png": Data("sticker".utf8), "cover.jpg": Data("cover".utf8),
  ]
}
