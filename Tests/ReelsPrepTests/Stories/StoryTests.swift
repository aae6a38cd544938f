import Foundation
import ReelsModel
import ReelsShare
import TestSupport
import Testing

@testable import ReelsPrep

@Suite struct StoryTests {
  private static func write(
    _ bytes: [UInt8], as name: String = "photo.png", in folder: TemporaryDirectory
  ) throws -> URL {
    let file = folder.file(name)
    try Data(bytes).write(to: file)
    return file
  }

  private static func photo(in folder: TemporaryDirectory) throws -> URL {
    try write(StoryTrial.quarters(108, 192), in: folder)
  }

  private static func sticker(in folder: TemporaryDirectory) throws -> URL {
    try write(
      StickerBytes.png(64, 48, kind: 6) { x, _ in [250, 10, 10, x < 32 ? 255 : 0] },
      as: "sticker.png", in: folder)
  }

  private static let key = "com.instagram.sharedSticker."

  // MARK: What goes together

  @Test func `a picture is the background, in one pasteboard item`() async throws {
    let folder = try TemporaryDirectory()
    let made = try await StoryTrial.make(try Self.photo(in: folder), in: folder) { $0.fit = .pad }
    let file = try #require(made.manifest.background?.file)
    #expect(made.manifest.files.map(\.name) == [file])
    #expect(made.manifest.background?.size == PixelSize(width: 1080, height: 1920))
    #expect(made.manifest.video == nil && made.manifest.cover == nil)
    #expect(try made.item() == ["\(Self.key)backgroundImage": try made.data(file)])
    let android = try #require(made.share?.android)
    #expect(android.data == file && android.stream == nil)
    #expect(android.type == made.manifest.files[0].mediaType)
    #expect(android.extras == ["source_application": .appSupplies("appID")])
    #expect(android.grants == [file])
    for other in made.manifest.share where other.destination != "instagram-stories" {
      #expect(other.refused?.map(\.because) == ["the payload has no video"])
    }
  }

  @Test func `a picture and a sticker go together`() async throws {
    let folder = try TemporaryDirectory()
    let sticker = try Self.sticker(in: folder)
    let made = try await StoryTrial.make(try Self.photo(in: folder), in: folder) {
      ($0.fit, $0.sticker) = (.pad, sticker.filePath)
    }
    let file = try #require(made.manifest.background?.file)
    #expect(
      try made.item() == [
        "\(Self.key)backgroundImage": try made.data(file),
        "\(Self.key)stickerImage": try made.data("sticker.png"),
      ])
    let android = try #require(made.share?.android)
    #expect(android.extras["interactive_asset_uri"] == .file("sticker.png"))
    #expect(android.grants == [file, "sticker.png"])
    #expect(made.manifest.steps.map(\.stream) == [.background, .sticker])
  }

  @Test func `a sticker alone, and on colours`() async throws {
    let folder = try TemporaryDirectory()
    let sticker = try Self.sticker(in: folder)
    let alone = try await StoryTrial.make(sticker, in: folder) { $0.background = .unspecified }
    #expect(try alone.item() == ["\(Self.key)stickerImage": try alone.data("sticker.png")])
    #expect(alone.manifest.background == nil)
    let colored = try await StoryTrial.make(sticker, in: folder, slug: "colored") {
      $0.background = .colors(
        top: RGBColor(red: 0x33, green: 0xFF, blue: 0x33),
        bottom: RGBColor(red: 0xFF, green: 0, blue: 0xFF))
    }
    #expect(
      try colored.item() == [
        "\(Self.key)stickerImage": try colored.data("sticker.png"),
        "\(Self.key)backgroundTopColor": .text("#33FF33"),
        "\(Self.key)backgroundBottomColor": .text("#FF00FF"),
      ])
    #expect(
      colored.share?.android
        == Share.Android(
          action: "com.instagram.share.ADD_TO_STORY", package: "com.instagram.android",
          type: "image/png",
          extras: [
            "source_application": .appSupplies("appID"),
            "interactive_asset_uri": .file("sticker.png"),
            "top_background_color": .text("#33FF33"), "bottom_background_color": .text("#FF00FF"),
          ], grants: ["sticker.png"]))
  }

  @Test func `what does not go together is refused, each with its way out`() async throws {
    let folder = try TemporaryDirectory()
    let (photo, sticker) = (try Self.photo(in: folder), try Self.sticker(in: folder))
    func refusal(_ input: URL, _ change: (inout Request) -> Void) async throws -> String? {
      let error = await #expect(throws: PrepError.self) {
        try await StoryTrial.make(input, in: folder, change)
      }
      return error?.sentence
    }
    #expect(
      try await refusal(photo) { $0.preset = "reels" }
        == "photo.png is a still picture; a Reel needs a video, and --destination stories takes a"
        + " picture")
    #expect(
      try await refusal(sticker) { ($0.preset, $0.background) = ("reels", .unspecified) }
        == "no destination takes a sticker without a video; use --destination stories")
    #expect(
      try await refusal(photo) { ($0.sticker, $0.background) = (sticker.filePath, .unspecified) }?
        .hasPrefix("no destination takes a second sticker") == true)
    #expect(
      try await refusal(photo) { _ in }
        == "photo.png would be 108x192, and Instagram Stories takes 720x1280 or more; use --fit"
        + " pad, crop or blur")
    #expect(
      try await refusal(photo) { ($0.fit, $0.canvas) = (.pad, PixelSize(width: 540, height: 960)) }
        == "photo.png would be 540x960, and Instagram Stories takes 720x1280 or more; use --fit"
        + " pad, crop or blur")
    #expect(
      try await refusal(photo) {
        ($0.fit, $0.canvas) = (.pad, PixelSize(width: 1920, height: 1920))
      } == "--canvas 1920x1920 does not do: a story's picture fits into 1080x1920")
    let broken = try Self.write(
      Array(StoryTrial.quarters(108, 192).dropLast(40)), as: "broken.png", in: folder)
    #expect(
      try await refusal(broken) { $0.fit = .pad }
        == "broken.png is cut short; export or download it again")
    let no = try Self.write(Array("no picture".utf8), as: "no.png", in: folder)
    #expect(
      try await refusal(no) { $0.background = .unspecified }
        == "sticker no.png is not a JPEG, PNG or WebP picture; give a JPEG or a PNG")
  }

  @Test func `the plan tells what will be done, and a video has none of it`() async throws {
    let folder = try TemporaryDirectory()
    var request = Request(
      input: try Self.photo(in: folder).filePath, outputDirectory: folder.url.filePath)
    (request.preset, request.fit) = ("stories", .crop)
    let plan = try #require(try await ReelsPrep().storyPlan(request))
    #expect(
      plan.geometry
        == StoryPlan.Geometry(
          source: PixelSize(width: 108, height: 192), fit: .crop,
          picture: PixelSize(width: 1080, height: 1920),
          canvas: PixelSize(width: 1080, height: 1920)))
    #expect(plan.steps.map(\.stream) == [.background])
    #expect(try await ReelsPrep().parts(of: request) == [request])
    #expect(try await ReelsPrep().inspect(request).container == "png")
    request.preset = "reels"
    #expect(try await ReelsPrep().storyPlan(request) == nil)
  }

  @Test func `a payload that is there already is left alone, and replaced when asked to`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let photo = try Self.photo(in: folder)
    let first = try await StoryTrial.make(photo, in: folder) { $0.fit = .pad }
    #expect(!first.payload.existed)
    #expect(try await StoryTrial.make(photo, in: folder) { $0.fit = .pad }.payload.existed)
    let again = try await StoryTrial.make(photo, in: folder) {
      ($0.fit, $0.overwrite) = (.crop, true)
    }
    #expect(!again.payload.existed)
  }

  // MARK: What a payload may be

  @Test func `check tells a manifest whose parts do not go together`() async throws {
    let folder = try TemporaryDirectory()
    let (photo, sticker) = (try Self.photo(in: folder), try Self.sticker(in: folder))
    func found(
      _ input: URL, _ request: (inout Request) -> Void, _ change: (inout Manifest) -> Void
    ) async throws -> [String] {
      let made = try await StoryTrial.make(input, in: folder) {
        $0.overwrite = true
        request(&$0)
      }
      var manifest = made.manifest
      change(&manifest)
      try Data(try ManifestFile.encode(manifest)).write(
        to: made.directory.appending(path: "payload.json"))
      let report = try await Check().run(made.payload.path)
      return report.failures.map { "\($0.rule.rawValue): \($0.found)" }
    }
    func ofPhoto(_ change: (inout Manifest) -> Void) async throws -> [String] {
      try await found(photo, { $0.fit = .pad }, change)
    }
    func ofSticker(_ change: (inout Manifest) -> Void) async throws -> [String] {
      try await found(
        sticker, { $0.background = .colors(top: .black, bottom: .black) }, change)
    }
    #expect(try await ofPhoto { _ in } == [])
    #expect(
      try await ofPhoto { $0.background = nil } == ["manifest: another background than there is"])
    #expect(
      try await ofPhoto { $0.background?.topColor = "#112233" }
        == ["manifest: colours behind a picture"])
    #expect(
      try await ofPhoto { $0.background?.size = PixelSize(width: 1, height: 1) }
        == ["background: 1080x1920 where the manifest says 1x1"])
    #expect(
      try await ofPhoto { $0.cover = Sample.manifest.cover }
        == ["manifest: a cover without a video", "cover: no picture that can be read"])
    #expect(try await ofPhoto { $0.video = Sample.video() } == ["manifest: no video"])
    #expect(try await ofSticker { _ in } == [])
    for color in ["112233", "#11223", "#11223G", "#１１２２３３", "red", ""] {
      #expect(
        try await ofSticker { $0.background?.bottomColor = color }
          == ["manifest: colours that are not as in #1A2B3C"], "\(color)")
    }
    #expect(
      try await ofSticker { $0.background?.topColor = nil }
        == ["manifest: colours that are not as in #1A2B3C"])
    #expect(
      try await ofSticker {
        $0.files = []
        $0.share[0] = Share(
          destination: "instagram-stories",
          refused: [Share.Refusal(rule: .payloadFiles, because: "nothing")])
      }.last == "manifest: no video, no picture and no sticker")
  }

  @Test func `the preview shows the colours from top to bottom`() async throws {
    let folder = try TemporaryDirectory()
    let made = try await StoryTrial.make(try Self.sticker(in: folder), in: folder) {
      $0.background = .colors(
        top: RGBColor(red: 0, green: 40, blue: 200), bottom: RGBColor(red: 0, green: 200, blue: 40))
    }
    let output = folder.file("preview.png")
    let report = try await Preview().run(made.payload.path, output: output.filePath)
    #expect(report.cover == nil)
    #expect(report.background?.size == PixelSize(width: 1080, height: 1920))
    let trial = try StickerTrial.make(
      [UInt8](try Data(contentsOf: output)), canvas: PixelSize(width: 1080, height: 1920))
    // Halfway, where no band is, and beside the sticker.
    #expect(StickerTrial.isNear(trial.color(0.1, 0.5), [0, 120, 120, 255]))
    #expect(StickerTrial.isNear(trial.color(0.485, 0.5), [250, 10, 10, 255]))
    #expect(StickerTrial.isNear(trial.color(0.515, 0.5), [0, 120, 120, 255]))
  }
}
