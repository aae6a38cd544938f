// swift-tools-version: 6.2

import PackageDescription

/// Settings that every target shares.
let base: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .treatAllWarnings(as: .error),
]

/// Settings above the wall: a pointer that strays out of ReelsFFmpeg is a compile error there.
let aboveTheWall = base + [.strictMemorySafety()]

let package = Package(
  name: "reels-prep",
  platforms: [.macOS(.v15), .iOS(.v16)],
  products: [
    .library(name: "ReelsPrep", targets: ["ReelsPrep"]),
    .library(name: "ReelsShare", targets: ["ReelsShare"]),
    .executable(name: "reels-prep", targets: ["reels-prep"]),
  ],
  targets: [
    .systemLibrary(
      name: "CReelsFFmpeg",
      pkgConfig: "libavfilter",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libswscale-dev",
          "libswresample-dev", "libavutil-dev",
        ]),
        .brew(["ffmpeg"]),
      ]
    ),
    .systemLibrary(
      name: "CLittleCMS", pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
    .target(name: "ReelsModel", swiftSettings: aboveTheWall),
    .target(
      name: "ReelsFFmpeg", dependencies: ["CReelsFFmpeg", "CLittleCMS", "ReelsModel"],
      swiftSettings: base),
    .target(
      name: "ReelsPipeline", dependencies: ["ReelsFFmpeg", "ReelsModel"],
      swiftSettings: aboveTheWall),
    .target(
      name: "ReelsPresets", path: "Presets",
      resources: [
        "reels", "reels-android", "reels-hevc", "stories", "graph-reel", "graph-story",
        "facebook-reels",
      ].map { .embedInCode("\($0).json") },
      swiftSettings: aboveTheWall),
    .target(
      name: "ReelsPrep",
      dependencies: ["ReelsModel", "ReelsFFmpeg", "ReelsPipeline", "ReelsPresets"],
      swiftSettings: aboveTheWall),
    .target(name: "ReelsShare", dependencies: ["ReelsModel"], swiftSettings: aboveTheWall),
    .executableTarget(
      name: "reels-prep", dependencies: ["ReelsPrep", "ReelsModel"],
      swiftSettings: aboveTheWall),
    .executableTarget(
      name: "reels-bench",
      dependencies: ["ReelsPrep", "ReelsModel", "ReelsPipeline", "ReelsFFmpeg", "reels-prep"],
      path: "benchmarks", exclude: ["README.md", "report", "results", "setup"],
      swiftSettings: aboveTheWall),
    .testTarget(
      name: "ReelsCommandTests", dependencies: ["ReelsPrep", "ReelsModel", "reels-prep"],
      swiftSettings: base),
    .testTarget(
      name: "ReelsPrepTests",
      dependencies: [
        "ReelsPrep", "ReelsShare", "ReelsPipeline", "ReelsFFmpeg", "CReelsFFmpeg", "ReelsModel",
        "TestSupport",
      ],
      swiftSettings: base),
    .testTarget(
      name: "ReelsPipelineTests",
      dependencies: ["ReelsPipeline", "ReelsFFmpeg", "ReelsModel", "TestSupport"],
      swiftSettings: base),
    .testTarget(
      name: "ReelsFFmpegTests", dependencies: ["ReelsFFmpeg", "ReelsModel", "TestSupport"],
      swiftSettings: base),
    .target(
      name: "TestSupport", dependencies: ["ReelsModel"], path: "Tests/TestSupport",
      swiftSettings: base),
    .executableTarget(
      name: "reels-fuzz", dependencies: ["TestSupport"], path: "Tests/Fuzz", swiftSettings: base),
    .testTarget(
      name: "TestSupportTests", dependencies: ["TestSupport", "ReelsModel"],
      swiftSettings: base),
    .testTarget(name: "ReelsModelTests", dependencies: ["ReelsModel"], swiftSettings: base),
    .testTarget(
      name: "PerformanceTests",
      dependencies: [
        "ReelsPrep", "ReelsPipeline", "ReelsFFmpeg", "CReelsFFmpeg", "ReelsModel", "TestSupport",
      ],
      swiftSettings: base),
    .testTarget(
      name: "ReelsShareTests", dependencies: ["ReelsShare", "ReelsModel"], swiftSettings: base),
  ]
)
