import Foundation

@testable import ReelsShare

@MainActor
final class FakePasteboard: PasteboardPort {
  var changeCount = 7
  var items: [[String: PasteboardValue]] = [["text": .text("the user's")]]
  var expires: Date?
  var localOnly: Bool?
  /// Whether what is there may be read without asking.
  var isReadable = true
  var refuses = false
  /// Whether refusing leaves a part of it there.
  var refusesHalfway = false
  private var kept: [[String: PasteboardValue]]?
  var log: [String] = []

  func save() -> Bool {
    log.append("save")
    kept = isReadable ? items : nil
    return isReadable
  }

  func write(_ items: [[String: PasteboardValue]], expires: Date, localOnly: Bool) throws {
    if refusesHalfway {
      self.items = Array(items.prefix(1))
      changeCount += 1
    }
    if refuses || refusesHalfway { throw CocoaError(.fileWriteUnknown) }
    log.append("write")
    (self.items, self.expires, self.localOnly) = (items, expires, localOnly)
    changeCount += 1
  }

  func restore() {
    log.append("restore")
    items = kept ?? []
    changeCount += 1
  }

  func clear() {
    log.append("clear")
    items = []
    changeCount += 1
  }

  /// Another app copies something.
  func copyElsewhere() {
    items = [["text": .text("newer")]]
    changeCount += 1
  }
}

@MainActor
final class FakeOpener: OpenerPort {
  /// What the system answers, URL by URL; nil never answers.
  var answers: [Bool?]
  private(set) var opened: [String] = []
  var whenOpening: (@MainActor () -> Void)?

  init(_ answers: [Bool?]) { self.answers = answers }

  func open(_ url: URL, completion: @escaping @MainActor @Sendable (Bool) -> Void) {
    opened.append(url.absoluteString)
    whenOpening?()
    if let answer = answers.isEmpty ? nil : answers.removeFirst() { completion(answer) }
  }
}

@MainActor
final class FakePresenter: PresenterPort {
  var takes: Bool
  private(set) var presented: [ShareRoute] = []

  init(takes: Bool) { self.takes = takes }

  func present(_ route: ShareRoute, file: URL) async -> Bool {
    presented.append(route)
    return takes
  }
}

/// Time that passes when the test says so.
final class FakeClock: ClockPort, @unchecked Sendable {
  // Sound to share: everything is touched under the lock.
  private let lock = NSLock()
  private var sleepers: [CheckedContinuation<Void, Never>] = []
  private var asked: [Int] = []
  let now = Date(timeIntervalSince1970: 1_000_000)

  func sleep(seconds: Int) async {
    await withCheckedContinuation { continuation in
      lock.withLock {
        asked.append(seconds)
        sleepers.append(continuation)
      }
    }
  }

  var sleeps: [Int] { lock.withLock { asked } }

  /// Wakes whoever sleeps.
  func pass() {
    let woken = lock.withLock {
      defer { sleepers = [] }
      return sleepers
    }
    for sleeper in woken { sleeper.resume() }
  }

  /// Until so many have asked to sleep.
  func awaitSleeps(_ count: Int) async {
    while sleeps.count < count { await Task.yield() }
  }
}
