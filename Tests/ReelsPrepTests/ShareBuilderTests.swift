import ReelsModel
import Testing

@testable import ReelsPrep

@Suite struct ShareBuilderTests {
  private func shares(
    requested: String = "instagram-reels", sticker: String? = nil, appID: String? = nil,
    video: Manifest.Video = Sample.video(), bytes: Int64 = 9_000_000,
    cover: MediaTime = MediaTime(seconds: Ratio(31, 30))
  ) -> [Share] {
    ShareBuilder(
      files: Sample.files(sticker: sticker, videoBytes: bytes), video: video, coverTime: cover,
      appID: appID
    ).shares(requested: requested)
  }

  private func share(_ destination: String, in shares: [Share]) throws -> Share {
    try #require(shares.first { $0.destination == destination })
  }

  @Test func `Reels on iOS has each key in an item of its own`() throws {
    let ios = try #require(shares(sticker: "sticker.png").first?.ios)
    #expect(ios.url == "instagram-reels://share")
    #expect(ios.querySchemes == ["instagram-reels"])
    #expect(
      ios.pasteboard == [
        ["com.instagram.sharedSticker.backgroundVideo": .file("video.mp4")],
        ["com.instagram.sharedSticker.stickerImage": .file("sticker.png")],
        ["com.instagram.sharedSticker.appID": .appSupplies("appID")],
      ])
    #expect(ios.expirationSeconds == 300)
    #expect(ios.localOnly)
  }

  @Test func `Reels on Android has the action, the extras and a grant for every file`() throws {
    let android = try #require(shares(sticker: "sticker.jpg", appID: "42").first?.android)
    #expect(android.action == "com.instagram.share.ADD_TO_REEL")
    #expect(android.package == "com.instagram.android")
    #expect(android.type == "video/*")
    #expect(android.stream == "video.mp4")
    #expect(
      android.extras == [
        "com.instagram.platform.extra.APPLICATION_ID": .text("42"),
        "interactive_asset_uri": .file("sticker.jpg"),
      ])
    #expect(android.grants == ["video.mp4", "sticker.jpg"])
    #expect(shares().first?.android?.grants == ["video.mp4"])
  }

  @Test func `Stories on Android has the video as the intent's data`() throws {
    let all = shares(sticker: "sticker.png")
    #expect(
      try share("instagram-stories", in: all).android
        == Share.Android(
          action: "com.instagram.share.ADD_TO_STORY", package: "com.instagram.android",
          type: "video/mp4", data: "video.mp4",
          extras: [
            "source_application": .appSupplies("appID"),
            "interactive_asset_uri": .file("sticker.png"),
          ], grants: ["video.mp4", "sticker.png"]))
    let long = shares(video: Sample.video(seconds: Ratio(21)))
    #expect(try share("instagram-stories", in: long).android == nil)
  }

  @Test func `Facebook Reels on Android has an action, a package and a key of its own`() throws {
    #expect(
      try share("facebook-reels", in: shares(appID: "42")).android
        == Share.Android(
          action: "com.facebook.reels.SHARE_TO_REEL", package: "com.facebook.katana",
          type: "video/mp4", data: "video.mp4",
          extras: ["com.facebook.platform.extra.APPLICATION_ID": .text("42")],
          grants: ["video.mp4"]))
  }

  @Test func `a story by upload is one, and has no cover time`() throws {
    let story = shares(requested: "instagram-graph-story", bytes: 60_000_000)[0]
    #expect(story.graph == Share.Graph(mediaType: "STORIES"))
    #expect(story.ios == nil && story.android == nil)
    let long = shares(requested: "instagram-graph-story", video: Sample.video(seconds: Ratio(61)))
    #expect(long[0].refused?.map(\.rule) == [.duration])
    #expect(try Presets.load("graph-story").destination == "instagram-graph-story")
    let json = try JSONLine.encode(story)
    #expect(!String(decoding: json, as: UTF8.self).contains("thumbOffset"))
  }

  @Test func `a story without a video is for Stories alone, where its picture is large enough`() {
    func shares(_ size: PixelSize) -> [Share] {
      let file = Manifest.File(
        name: "background.png", bytes: 9, sha256: "00", mediaType: "image/png")
      return ShareBuilder(files: [file], background: .init(file: file.name, size: size))
        .shares(requested: "instagram-stories")
    }
    #expect(shares(PixelSize(width: 720, height: 1_280))[0].ios != nil)
    let small = shares(PixelSize(width: 718, height: 1_280))[0]
    #expect(small.ios == nil && small.android == nil)
    #expect(small.refused?.map(\.because) == ["is 718x1280; at least 720x1280 needed"])
    let none = ShareBuilder(files: [], background: nil).shares(requested: "instagram-stories")[0]
    #expect(none.refused?.map(\.because) == ["the payload has no picture and no sticker"])
  }

  @Test func `the upload's cover time is never before the cover's frame`() {
    let graph = shares(cover: MediaTime(seconds: Ratio(31, 30))).first?.graph
    #expect(graph == Share.Graph(mediaType: "REELS", thumbOffsetMilliseconds: 1_034))
    #expect(shares(cover: .zero).first?.graph?.thumbOffsetMilliseconds == 0)
    #expect(shares(cover: MediaTime(seconds: 2)).first?.graph?.thumbOffsetMilliseconds == 2_000)
  }

  @Test func `Stories has all keys in one item and the app ID in the URL`() throws {
    let without = try #require(
      try share("instagram-stories", in: shares(sticker: "sticker.png")).ios)
    #expect(without.url == "instagram-stories://share?source_application={appID}")
    #expect(
      without.pasteboard == [
        [
          "com.instagram.sharedSticker.backgroundVideo": .file("video.mp4"),
          "com.instagram.sharedSticker.stickerImage": .file("sticker.png"),
        ]
      ])
    let with = try #require(try share("instagram-stories", in: shares(appID: "4 2&x=é")).ios)
    #expect(with.url == "instagram-stories://share?source_application=4%202%26x%3D%C3%A9")
  }

  @Test func `Facebook Reels has keys of its own`() throws {
    let ios = try #require(try share("facebook-reels", in: shares(appID: "42")).ios)
    #expect(ios.url == "facebook-reels://share")
    #expect(
      ios.pasteboard == [
        ["com.facebook.sharedSticker.backgroundVideo": .file("video.mp4")],
        ["com.facebook.sharedSticker.appID": .text("42")],
      ])
  }

  @Test func `the requested destination is first and each is there once`() {
    #expect(
      shares().map(\.destination) == ["instagram-reels", "instagram-stories", "facebook-reels"])
    #expect(
      shares(requested: "facebook-reels").map(\.destination)
        == ["facebook-reels", "instagram-reels", "instagram-stories"])
    #expect(
      shares(requested: "instagram-graph").map(\.destination)
        == ["instagram-graph", "instagram-reels", "instagram-stories", "facebook-reels"])
  }

  @Test func `Stories refuses more than 20 s and small pictures`() throws {
    let exact = try share("instagram-stories", in: shares(video: Sample.video(seconds: Ratio(20))))
    #expect(exact.refused == nil)
    let long = try share(
      "instagram-stories",
      in: shares(
        video: Sample.video(
          size: PixelSize(width: 1920, height: 1080), seconds: Ratio(20_001, 1_000))))
    #expect(
      long.refused == [
        Share.Refusal(rule: .duration, because: "lasts 20.001 s; at most 20 s allowed"),
        Share.Refusal(rule: .frameSize, because: "is 1920x1080; at least 720x1280 needed"),
      ])
    #expect(long.ios == nil)
  }

  @Test func `Facebook Reels refuses all but 9 to 16 and 24 to 60 frames a second`() throws {
    let video = Sample.video(
      size: PixelSize(width: 1080, height: 1918), frameRate: Ratio(24_000, 1_001))
    let refused = try #require(try share("facebook-reels", in: shares(video: video)).refused)
    #expect(refused.map(\.rule) == [.aspect, .frameRate])
    #expect(refused.last?.because == "has 23.976 frames a second; 24 to 60 allowed")
  }

  @Test func `a large upload is refused by the share sheets, which only recommend the size`() {
    let large = shares(requested: "instagram-graph", bytes: 50_000_000)
    #expect(large.first?.refused == nil)
    #expect(large.dropFirst().allSatisfy { $0.refused?.map(\.rule) == [.fileSize] })
    // The user asked for it with --max-size.
    #expect(shares(bytes: 50_000_000).first?.refused == nil)
  }

  @Test func `an unknown destination and a payload without video are refused`() {
    #expect(shares(requested: "elsewhere").first?.refused?.count == 1)
    let none = ShareBuilder(files: [], video: Sample.video(), coverTime: .zero)
      .shares(requested: "instagram-reels")
    #expect(none.allSatisfy { $0.refused?.map(\.rule) == [.payloadFiles] })
  }
}
