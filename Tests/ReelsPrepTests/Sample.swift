import ReelsModel

@testable import ReelsPrep

/// Values for tests that need some of a kind.
enum Sample {
  static func video(
    size: PixelSize = PixelSize(width: 1080, height: 1920), seconds: Ratio = Ratio(12),
    frameRate: Ratio = Ratio(30)
  ) -> Manifest.Video {
    Manifest.Video(
      width: size.width, height: size.height, frameRate: frameRate, frames: 360,
      durationSeconds: MediaTime(seconds: seconds), videoCodec: "h264", profile: "High",
      level: "4.0", audioCodec: "aac", sampleRate: 48_000, channels: 2,
      bitRate: BitsPerSecond(6_000_000))
  }

  static func files(sticker: String? = nil, videoBytes: Int64 = 9_000_000) -> [Manifest.File] {
    var files = [
      Manifest.File(name: "video.mp4", bytes: videoBytes, sha256: "00", mediaType: "video/mp4"),
      Manifest.File(name: "cover.jpg", bytes: 90, sha256: "01", mediaType: "image/jpeg"),
    ]
    if let sticker {
      files.append(
        Manifest.File(name: sticker, bytes: 9, sha256: "02", mediaType: "image/png"))
    }
    return files
  }

  static var manifest: Manifest {
    Manifest(
      tool: Manifest.Tool(name: "reels-prep", version: "0.1.0"),
      preset: Manifest.PresetReference(
        name: "reels", revision: 1, source: "https://example.com/a/b", date: "2026-04-06"),
      files: files(), video: video(),
      cover: Manifest.Cover(file: "cover.jpg", timeSeconds: MediaTime(seconds: Ratio(1, 2))),
      window: Plan.Window(
        requestedStart: .zero, start: .zero, duration: MediaTime(seconds: 12)),
      source: Manifest.Source(
        name: "clïp/1.mov", bytes: 10,
        fingerprint: Manifest.Fingerprint(
          bytes: 10, modified: MediaTime(seconds: 1_700_000_000), headSHA256: "a",
          tailSHA256: "b"),
        container: "mov", videoCodec: "hevc", size: PixelSize(width: 3840, height: 2160),
        sampleAspect: Ratio(1), orientation: .upright, pixelFormat: "yuv420p",
        color: .bt709, interlaced: false, constantFrameRate: Ratio(30_000, 1_001),
        audioCodec: nil, audioTracks: 0),
      steps: [
        Plan.Step(action: .encode, stream: .video, rule: .videoCodec, because: "hevc")
      ],
      warnings: [], damage: Manifest.Damage(framesConcealed: 0, share: 0),
      share: ShareBuilder(files: files(), video: video(), coverTime: .zero).shares(
        requested: "instagram-reels"),
      work: Manifest.Work(
        framesEncoded: 360, framesOut: 360, encodesPerFrame: 1, cpuSeconds: 1.5,
        wallSeconds: 0.75, inspectCPUSeconds: 0.1, transcodeCPUSeconds: 1.3,
        finishCPUSeconds: 0.1, capShare: 0.18))
  }
}
