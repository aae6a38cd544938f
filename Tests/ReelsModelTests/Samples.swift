import ReelsModel

/// One sound value of each large type, different in every field where that matters.
enum Samples {
  static let window = Plan.Window(
    requestedStart: MediaTime(seconds: 2), start: MediaTime(seconds: Ratio(19, 10)),
    duration: MediaTime(seconds: 5))

  static let step = Plan.Step(
    action: .encode, stream: .video, rule: .pixelFormat, because: "10-bit becomes 8-bit 4:2:0")

  static let warning = Warning(code: "hdr-tone-mapped", sentence: "The picture was HLG.")

  static let plan = Plan(
    window: window,
    video: VideoPlan(
      stream: 1, origin: .zero, start: MediaTime(seconds: Ratio(19, 10)),
      last: MediaTime(seconds: 7),
      frameRate: Ratio(30000, 1001),
      frames: 149, sourceFrames: 149,
      short: .reject,
      geometry: VideoPlan.Geometry(
        orientation: Orientation(quarterTurns: 1, mirrored: true), fit: .pad,
        picture: PixelSize(width: 1080, height: 1440),
        canvas: PixelSize(width: 1080, height: 1920), padColor: .black),
      color: VideoPlan.ColorPlan(source: .bt709, toneMap: .bt2390, peakLuminance: 1000),
      deinterlace: false,
      ranges: [
        VideoPlan.EncodeRange(
          first: 0, count: 149,
          entry: EntryPoint(pts: MediaTime(seconds: 1), dts: MediaTime(seconds: Ratio(9, 10))))
      ],
      encoding: VideoEncoding(
        effort: .balanced, crf: 20.5, maximumRate: BitsPerSecond(20_000_000),
        bufferBits: 5_000_000, initialFill: 0.6, gopFrames: 59, level: 40,
        lookaheadFrames: 20)),
    audio: AudioPlan(
      streams: [2], sampleRate: 48_000, channels: 2, bitRate: BitsPerSecond(128_000),
      samples: 240_000),
    cover: .time(MediaTime(seconds: Ratio(3, 2))), fileBytesBelow: ByteCount(50_000_000),
    steps: [step], warnings: [warning])

  static let manifest = Manifest(
    tool: Manifest.Tool(name: "reels-prep", version: "1.0"),
    preset: Manifest.PresetReference(
      name: "reels", revision: 1, source: "https://example.com", date: "2026-04-06"),
    files: [
      Manifest.File(name: "video.mp4", bytes: 9, sha256: "00ff", mediaType: "video/mp4")
    ],
    video: Manifest.Video(
      width: 1080, height: 1920, frameRate: Ratio(30), frames: 150,
      durationSeconds: MediaTime(seconds: 5), videoCodec: "h264", profile: "High", level: "4.0",
      audioCodec: "aac", sampleRate: 48_000, channels: 2, bitRate: BitsPerSecond(6_000_000)),
    cover: Manifest.Cover(file: "cover.jpg", timeSeconds: MediaTime(seconds: 1)),
    window: window,
    source: Manifest.Source(
      name: "a.mov", bytes: 10,
      fingerprint: Manifest.Fingerprint(
        bytes: 10, modified: MediaTime(seconds: 1_700_000_000), headSHA256: "aa",
        tailSHA256: "bb"),
      container: "mov", videoCodec: "hevc", size: PixelSize(width: 1920, height: 1080),
      sampleAspect: Ratio(1), orientation: .upright, pixelFormat: "yuv420p10le", color: .bt709,
      interlaced: false, constantFrameRate: nil, audioCodec: "aac", audioTracks: 1),
    steps: [step], warnings: [warning],
    damage: Manifest.Damage(framesConcealed: 1, share: 0.25),
    share: [
      Share(
        destination: "instagram-reels",
        ios: Share.IOS(
          url: "instagram-reels://share", querySchemes: ["instagram-reels"],
          pasteboard: [["video": .file("video.mp4")], ["id": .appSupplies("appID")]],
          expirationSeconds: 300, localOnly: true),
        android: Share.Android(
          action: "ADD_TO_REEL", package: "com.instagram.android", type: "video/*",
          stream: "video.mp4", extras: ["id": .text("1")], grants: ["video.mp4"]),
        graph: Share.Graph(mediaType: "REELS", thumbOffsetMilliseconds: 1000),
        refused: [Share.Refusal(rule: .aspect, because: "it is wide")])
    ],
    work: Manifest.Work(
      framesEncoded: 150, framesOut: 150, encodesPerFrame: 1, cpuSeconds: 2, wallSeconds: 1,
      inspectCPUSeconds: 0.5, transcodeCPUSeconds: 1.25, finishCPUSeconds: 0.25, capShare: 0.5))
}
