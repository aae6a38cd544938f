import Foundation
import ReelsModel
import Testing

@testable import ReelsShare

@Suite struct SharePayloadTests {
  @Test func `Reels is laid out one key an item, as bytes and text`() throws {
    let sample = try SamplePayload(SamplePayload.files, share: [SamplePayload.reels])
    let handOff = try sample.open().handOff(to: .instagramReels, appID: "1234")
    #expect(
      handOff.items == [
        ["com.instagram.sharedSticker.backgroundVideo": .bytes(SamplePayload.video)],
        ["com.instagram.sharedSticker.stickerImage": .bytes(Data("sticker".utf8))],
        ["com.instagram.sharedSticker.appID": .text("1234")],
      ])
    #expect(handOff.url.absoluteString == "instagram-reels://share")
    #expect(handOff.querySchemes == ["instagram-reels"])
    #expect(handOff.expirationSeconds == 300)
    #expect(handOff.localOnly)
  }

  @Test func `Stories has the app ID in its URL`() throws {
    let sample = try SamplePayload(SamplePayload.files, share: [SamplePayload.stories])
    let handOff = try sample.open().handOff(to: .instagramStories, appID: "12 &34")
    #expect(
      handOff.url.absoluteString
        == "instagram-stories://share?source_application=12%20%2634")
    #expect(handOff.items.count == 1)
  }

  @Test func `an app ID that the manifest has need not be given again`() throws {
    var share = SamplePayload.reels
    share.ios?.pasteboard[2] = ["com.instagram.sharedSticker.appID": .text("99")]
    let sample = try SamplePayload(SamplePayload.files, share: [share])
    let handOff = try sample.open().handOff(to: .instagramReels)
    #expect(handOff.items.last == ["com.instagram.sharedSticker.appID": .text("99")])
  }

  @Test(arguments: [ShareDestination.instagramReels, .instagramStories])
  func `a missing app ID is an error`(destination: ShareDestination) throws {
    let sample = try SamplePayload(
      SamplePayload.files, share: [SamplePayload.reels, SamplePayload.stories])
    for appID in [nil, ""] {
      let error = #expect(throws: ShareError.self) {
        try sample.open().handOff(to: destination, appID: appID)
      }
      #expect(error?.code == .missingAppID)
    }
  }

  @Test func `a destination that is absent or refused is an error with its reason`() throws {
    let refused = Share(
      destination: "instagram-stories",
      refused: [Share.Refusal(rule: .duration, because: "lasts 30.000 s")])
    let sample = try SamplePayload(SamplePayload.files, share: [SamplePayload.reels, refused])
    let payload = try sample.open()
    let reason = #expect(throws: ShareError.self) {
      try payload.handOff(to: .instagramStories, appID: "1")
    }
    #expect(
      reason?.sentence == "instagram-stories does not take the payload: lasts 30.000 s")
    let absent = #expect(throws: ShareError.self) {
      try payload.handOff(to: .facebookReels, appID: "1")
    }
    #expect(absent?.code == .refused)
  }

  @Test func `empty values and URLs of other apps are errors`() throws {
    var empty = SamplePayload.reels
    empty.ios?.pasteboard[2] = ["com.instagram.sharedSticker.appID": .text("")]
    var foreign = SamplePayload.reels
    foreign.ios?.url = "tel://1234"
    var none = SamplePayload.reels
    none.ios?.pasteboard = []
    var unknown = SamplePayload.reels
    unknown.ios?.pasteboard[2] = ["key": .appSupplies("password")]
    for share in [empty, foreign, none, unknown] {
      let sample = try SamplePayload(SamplePayload.files, share: [share])
      let error = #expect(throws: ShareError.self) {
        try sample.open().handOff(to: .instagramReels, appID: "1")
      }
      #expect(error?.code == .badManifest)
    }
  }

  @Test func `memory is the video's size and no copy of it`() throws {
    #if os(Linux)
      let megabyte = 1_000_000
      let size = 48 * megabyte
      let sample = try SamplePayload(share: [SamplePayload.stories])
      try Data(count: size).write(to: sample.url.appendingPathComponent("video.mp4"))
      sample.manifest.files = [
        Manifest.File(
          name: "video.mp4", bytes: Int64(size), sha256: "x", mediaType: "video/mp4")
      ]
      try sample.writeManifest()
      // The process is shared: what other suites take meanwhile is not ours, but a copy shows each time.
      let attempts = try (0..<5).map { _ in
        let before = try peakMemory(reset: true)
        // Our own hash takes seconds for so much in a debug build.
        let payload = try SharePayload(contentsOf: sample.url) { _ in "x" }
        let handOff = try payload.handOff(to: .instagramStories, appID: "1")
        #expect(handOff.items.count == 1)
        return try peakMemory(reset: false) - before
      }
      let grown = try #require(attempts.min())
      #expect(grown < size + 5 * megabyte, "\(grown) bytes")
    #endif
  }

  #if os(Linux)
    /// The peak of the resident memory since the last reset, in bytes. proc(5).
    private func peakMemory(reset: Bool) throws -> Int {
      if reset { try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      let number = line.split { !$0.isNumber }.first.flatMap { Int($0) }
      return try #require(number) * 1_024
    }
  #endif
}
