public import Foundation

/// Carries a hand-over out: reads the payload, and does to the pasteboard and to other apps what the state
/// machine says.
@MainActor
public final class HandOffRunner {
  private let pasteboard: any PasteboardPort
  private let opener: any OpenerPort
  private let presenter: (any PresenterPort)?
  private let clock: any ClockPort
  private var running: Task<ShareOutcome, any Error>?
  private var feed: AsyncStream<HandOffMachine.Event>.Continuation?

  /// - Parameter presenter: For the share sheet and the photo library; nil refuses them.
  public init(
    pasteboard: any PasteboardPort, opener: any OpenerPort, presenter: (any PresenterPort)? = nil,
    clock: any ClockPort = SystemClock()
  ) {
    self.pasteboard = pasteboard
    self.opener = opener
    self.presenter = presenter
    self.clock = clock
  }

  /// The app went to the background, or came back: from `UIScene` or `UIApplication`.
  public func leftForeground() { feed?.yield(.leftForeground) }
  public func cameBack() { feed?.yield(.cameBack) }

  /// Hands a payload over. While one is under way, a second tap gets its outcome.
  ///
  /// - Parameters:
  ///   - routes: In the order in which they are tried.
  ///   - directory: Where the payload lies: for the share sheet and the photo library.
  ///   - load: Reads the payload; called once, off the main thread.
  /// - Throws: `ShareError` where the payload is not whole: then the pasteboard holds nothing of it.
  ///   `CancellationError`: then what was written is left to the app that may have opened.
  public func share(
    _ routes: [ShareRoute], appID: String?, directory: URL?,
    load: @escaping @Sendable () throws -> SharePayload
  ) async throws -> ShareOutcome {
    if let running { return try await running.value }
    let task = Task { try await self.run(routes, appID: appID, directory: directory, load: load) }
    running = task
    defer { running = nil }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func run(
    _ routes: [ShareRoute], appID: String?, directory: URL?,
    load: @escaping @Sendable () throws -> SharePayload
  ) async throws -> ShareOutcome {
    let (events, feed) = AsyncStream.makeStream(of: HandOffMachine.Event.self)
    self.feed = feed
    var timers: [Task<Void, Never>] = []
    defer {
      self.feed = nil
      feed.finish()
      for timer in timers { timer.cancel() }
    }
    var machine = HandOffMachine(routes: routes)
    var payload: SharePayload?
    feed.yield(.start)
    for await event in events {
      for effect in machine.handle(event, now: clock.now) {
        switch effect {
        case .prepare(let destination):
          do {
            let loaded = try await loaded(&payload, load)
            feed.yield(.prepared(try loaded.handOff(to: destination, appID: appID)))
          } catch let error as ShareError {
            feed.yield(.failed(error))
          }
        case .savePasteboard:
          feed.yield(.saved(pasteboard.save()))
        case .write(let handOff, let expires):
          let before = pasteboard.changeCount
          do {
            try pasteboard.write(handOff.items, expires: expires, localOnly: handOff.localOnly)
            feed.yield(.written(pasteboard.changeCount))
          } catch {
            let after = pasteboard.changeCount
            feed.yield(.notWritten(after == before ? nil : after))
          }
        case .open(let url):
          opener.open(url) { feed.yield(.answered($0)) }
        case .present(let route):
          do {
            let name = try await loaded(&payload, load).presentedName
            feed.yield(.answered(await present(route, name, in: directory)))
          } catch let error as ShareError {
            feed.yield(.failed(error))
          }
        case .wait(let seconds, let number):
          let clock = clock
          timers.append(
            Task {
              await clock.sleep(seconds: seconds)
              if !Task.isCancelled { feed.yield(.waited(number)) }
            })
        case .restorePasteboard(let count):
          if pasteboard.changeCount == count { pasteboard.restore() }
        case .clearPasteboard(let count):
          if pasteboard.changeCount == count { pasteboard.clear() }
        case .finish(let outcome): return outcome
        case .fail(let error): throw error
        }
      }
    }
    throw CancellationError()
  }

  private func present(_ route: ShareRoute, _ name: String?, in directory: URL?) async -> Bool {
    guard let presenter, let name, let file = directory?.appendingPathComponent(name),
      FileManager.default.fileExists(atPath: file.path)
    else { return false }
    return await presenter.present(route, file: file)
  }

  private func loaded(
    _ payload: inout SharePayload?, _ load: @Sendable () throws -> SharePayload
  ) async throws -> SharePayload {
    let loaded = if let payload { payload } else { try await Self.load(load) }
    payload = loaded
    try Task.checkCancellation()
    return loaded
  }

  /// Reading 50 MB and hashing it takes a while.
  @concurrent
  private static func load(
    _ load: @Sendable () throws -> SharePayload
  ) async throws -> SharePayload { try load() }
}
