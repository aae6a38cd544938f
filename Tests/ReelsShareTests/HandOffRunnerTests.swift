import Foundation
import ReelsModel
import Testing

@testable import ReelsShare

/// The whole hand-over, with a pasteboard, a system and a clock that are not real.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct HandOffRunnerTests {
  private let pasteboard = FakePasteboard()
  private let clock = FakeClock()
  private static let all: [ShareRoute] = [
    .app(.instagramReels), .app(.instagramStories), .shareSheet, .photos,
  ]

  private func sample() throws -> SamplePayload {
    try SamplePayload(SamplePayload.files, share: [SamplePayload.reels, SamplePayload.stories])
  }

  private func share(
    _ sample: SamplePayload, _ routes: [ShareRoute] = [.app(.instagramReels)],
    opener: FakeOpener, presenter: FakePresenter? = nil, appID: String? = "12"
  ) async throws -> ShareOutcome {
    let runner = HandOffRunner(
      pasteboard: pasteboard, opener: opener, presenter: presenter, clock: clock)
    let url = sample.url
    return try await runner.share(routes, appID: appID, directory: url) {
      try SharePayload(contentsOf: url)
    }
  }

  /// Another tap, whose outcome comes later.
  private func tap(
    _ runner: HandOffRunner, _ url: URL, _ routes: [ShareRoute] = [.app(.instagramReels)]
  ) -> Task<ShareOutcome, any Error> {
    Task {
      try await runner.share(routes, appID: "1", directory: url) {
        try SharePayload(contentsOf: url)
      }
    }
  }

  @Test func `the payload is written, then the app is opened, and the clipboard is left to it`()
    async throws
  {
    let opener = FakeOpener([true])
    let outcome = try await share(try sample(), opener: opener)
    #expect(outcome == .opened(.app(.instagramReels)))
    #expect(opener.opened == ["instagram-reels://share"])
    #expect(pasteboard.log == ["save", "write"])
    #expect(pasteboard.items.count == 3)
    #expect(pasteboard.items[2] == ["com.instagram.sharedSticker.appID": .text("12")])
    #expect(pasteboard.localOnly == true)
    // Five minutes from the injected clock.
    #expect(pasteboard.expires == clock.now.addingTimeInterval(300))
  }

  @Test func `after a refusal the clipboard is as it was`() async throws {
    let outcome = try await share(try sample(), opener: FakeOpener([false]))
    guard case .refused(let refusals) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(refusals.map(\.route) == [.app(.instagramReels)])
    #expect(pasteboard.log == ["save", "write", "restore"])
    #expect(pasteboard.items == [["text": .text("the user's")]])
  }

  @Test func `a clipboard that may not be read is emptied after a refusal, not guessed`()
    async throws
  {
    pasteboard.isReadable = false
    _ = try await share(try sample(), opener: FakeOpener([false]))
    #expect(pasteboard.log == ["save", "write", "clear"])
    #expect(pasteboard.items.isEmpty)
  }

  @Test func `what another app copied meanwhile stays`() async throws {
    let opener = FakeOpener([false])
    opener.whenOpening = { [pasteboard] in pasteboard.copyElsewhere() }
    _ = try await share(try sample(), opener: opener)
    #expect(pasteboard.log == ["save", "write"])
    #expect(pasteboard.items == [["text": .text("newer")]])
  }

  @Test func `an app that does not answer may still read: nothing is put back or tried`()
    async throws
  {
    let opener = FakeOpener([nil])
    let sample = try sample()
    let runner = HandOffRunner(pasteboard: pasteboard, opener: opener, clock: clock)
    let ended = tap(runner, sample.url, Self.all)
    await clock.awaitSleeps(1)
    #expect(clock.sleeps == [10])
    clock.pass()
    #expect(try await ended.value == .noAnswer(.app(.instagramReels)))
    #expect(pasteboard.log == ["save", "write"])
    #expect(opener.opened.count == 1)
    withExtendedLifetime(sample) {}
  }

  @Test func `time in the background does not count`() async throws {
    let opener = FakeOpener([nil])
    let runner = HandOffRunner(pasteboard: pasteboard, opener: opener, clock: clock)
    let sample = try sample()
    let ended = tap(runner, sample.url)
    await clock.awaitSleeps(1)
    runner.leftForeground()
    runner.cameBack()
    await clock.awaitSleeps(2)
    // The first ten seconds pass to no effect; then the second.
    clock.pass()
    #expect(try await ended.value == .noAnswer(.app(.instagramReels)))
    #expect(clock.sleeps == [10, 10])
    withExtendedLifetime(sample) {}
  }

  @Test func `routes follow each other in their order, without asking beforehand`() async throws {
    let opener = FakeOpener([false, false])
    let presenter = FakePresenter(takes: false)
    let outcome = try await share(
      try sample(), Self.all, opener: opener, presenter: presenter)
    guard case .refused(let refusals) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(refusals.map(\.route) == Self.all)
    #expect(
      opener.opened == [
        "instagram-reels://share", "instagram-stories://share?source_application=12",
      ])
    #expect(presenter.presented == [.shareSheet, .photos])
    // Saved before the first route wrote, and not again.
    #expect(pasteboard.log == ["save", "write", "write", "restore"])
    #expect(pasteboard.items == [["text": .text("the user's")]])
  }

  @Test func `the first route that works ends it`() async throws {
    let presenter = FakePresenter(takes: true)
    let outcome = try await share(
      try sample(), Self.all, opener: FakeOpener([false, false]), presenter: presenter)
    #expect(outcome == .opened(.shareSheet))
    #expect(presenter.presented == [.shareSheet])
  }

  @Test func `a missing app ID leaves the pasteboard alone`() async throws {
    let opener = FakeOpener([true])
    let outcome = try await share(try sample(), opener: opener, appID: nil)
    guard case .refused(let refusals) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(refusals.first?.because.contains("app ID") == true)
    #expect(pasteboard.log.isEmpty)
    #expect(opener.opened.isEmpty)
  }

  @Test func `a payload that is gone or changed is an error, and nothing is touched`() async throws
  {
    for change in ["remove", "truncate"] {
      let sample = try sample()
      let video = sample.url.appendingPathComponent("video.mp4")
      if change == "remove" {
        try FileManager.default.removeItem(at: sample.url)
      } else {
        try Data("vid".utf8).write(to: video)
      }
      await #expect(throws: ShareError.self) {
        try await share(sample, Self.all, opener: FakeOpener([true]))
      }
      #expect(pasteboard.log.isEmpty)
    }
  }

  @Test func `a second tap gets the first one's outcome`() async throws {
    let opener = FakeOpener([nil])
    let runner = HandOffRunner(pasteboard: pasteboard, opener: opener, clock: clock)
    let sample = try sample()
    let first = tap(runner, sample.url)
    await clock.awaitSleeps(1)
    let second = tap(runner, sample.url)
    for _ in 0..<20 { await Task.yield() }
    clock.pass()
    #expect(try await first.value == .noAnswer(.app(.instagramReels)))
    #expect(try await second.value == .noAnswer(.app(.instagramReels)))
    #expect(opener.opened.count == 1)
    #expect(pasteboard.log == ["save", "write"])
    withExtendedLifetime(sample) {}
  }

  @Test func `a pasteboard that takes nothing is a refusal`() async throws {
    pasteboard.refuses = true
    let presenter = FakePresenter(takes: true)
    let opener = FakeOpener([])
    let outcome = try await share(
      try sample(), [.app(.instagramReels), .photos], opener: opener, presenter: presenter)
    #expect(outcome == .opened(.photos))
    #expect(opener.opened.isEmpty)
  }

  @Test func `a refused writing gives the clipboard back, and does not touch what it left alone`()
    async throws
  {
    for isReadable in [true, false] {
      pasteboard.isReadable = isReadable
      pasteboard.refuses = true
      _ = try await share(try sample(), opener: FakeOpener([]))
      #expect(pasteboard.items == [["text": .text("the user's")]])
      #expect(pasteboard.log == ["save"])
      pasteboard.log = []
    }
    pasteboard.refusesHalfway = true
    _ = try await share(try sample(), opener: FakeOpener([]))
    #expect(pasteboard.items.isEmpty)
    #expect(pasteboard.log == ["save", "clear"])
  }

  @Test func `an extension refuses what its memory does not hold, before reading it`() throws {
    let sample = try sample()
    let needed = Int64(SamplePayload.files.values.reduce(0) { $0 + $1.count }) + 5_000_000
    _ = try SharePayload(contentsOf: sample.url, availableMemory: needed)
    let error = #expect(throws: ShareError.self) {
      try SharePayload(contentsOf: sample.url, availableMemory: 5_000_000)
    }
    #expect(error?.code == .notEnoughMemory)
  }
}
