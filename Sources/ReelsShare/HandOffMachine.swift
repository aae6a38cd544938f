public import Foundation

/// A hand-over to another app, step by step, without touching anything itself: events in, effects out.
///
/// `prepare → write → open → opened | refused | no answer`. A route that does not work is followed by the next
/// one; nobody is asked beforehand whether it would, because `canOpenURL` answers for the first 25 listed schemes
/// only and is deprecated as of iOS 27.
///
/// The clipboard is the user's. It is saved where that asks for no permission, put back only after every route
/// was refused, and left alone where an app may still be reading it.
public struct HandOffMachine: Sendable {
  public enum State: Hashable, Sendable {
    case idle
    case preparing, saving, writing
    case opening, presenting
    case done
  }

  /// What happened.
  public enum Event: Sendable {
    case start
    /// The hand-over of the current route is complete.
    case prepared(HandOff)
    /// It cannot be made.
    case failed(ShareError)
    /// Whether what was on the pasteboard can be put back.
    case saved(Bool)
    /// The pasteboard's change count after writing.
    case written(Int)
    /// The pasteboard does not take it; its change count where it was changed all the same.
    case notWritten(Int?)
    /// Whether the system opened the URL; a share sheet or a photo library, whether it took the file.
    case answered(Bool)
    /// The time of `Effect.wait` with this number has passed.
    case waited(Int)
    case leftForeground
    case cameBack
  }

  /// What is to be done.
  public enum Effect: Hashable, Sendable {
    case prepare(ShareDestination)
    case savePasteboard
    case write(HandOff, expires: Date)
    case open(URL)
    case present(ShareRoute)
    /// To answer with `waited` and this number after so many seconds.
    case wait(seconds: Int, number: Int)
    /// Only where the change count is still this one: what another app copied since then stays.
    case restorePasteboard(ifChangeCount: Int)
    case clearPasteboard(ifChangeCount: Int)
    case finish(ShareOutcome)
    case fail(ShareError)
  }

  /// Seconds after which an app that did not answer is taken as one that will not: platform-rules, "no answer".
  static let answerSeconds = 10

  public private(set) var state = State.idle
  private var routes: ArraySlice<ShareRoute>
  private var refusals: [ShareRefusal] = []
  private var canRestore: Bool?
  private var changeCount: Int?
  private var waitNumber = 0

  /// - Parameter routes: In the order in which they are tried.
  public init(routes: [ShareRoute]) { self.routes = routes[...] }

  /// - Parameter now: For the time at which the pasteboard forgets what was written.
  /// - Returns: What is to be done, in this order. Events that do not fit the state, such as a second tap or a
  ///   late answer, do nothing.
  public mutating func handle(_ event: Event, now: Date) -> [Effect] {
    switch (state, event) {
    case (.idle, .start):
      return begin()
    case (.preparing, .prepared(let handOff)):
      return prepared(handOff, now: now)
    case (.preparing, .failed(let error)):
      return error.isOfRoute ? next(error.sentence) : fail(error)
    case (.presenting, .failed(let error)):
      return fail(error)
    case (.saving, .saved(let canRestore)):
      self.canRestore = canRestore
      return write(now: now)
    case (.writing, .written(let count)):
      changeCount = count
      state = .opening
      return opening.map { [.open($0.url)] + startWaiting() } ?? []
    case (.writing, .notWritten(let count)):
      if let count { changeCount = count }
      return next("the pasteboard does not take the payload")
    case (.opening, .answered(true)), (.presenting, .answered(true)):
      return routes.first.map { finish(.opened($0)) } ?? []
    case (.opening, .answered(false)):
      return next("the app is not installed, or did not open")
    case (.presenting, .answered(false)):
      return next("was dismissed, or is not available")
    case (.opening, .waited(waitNumber)):
      // It may still be reading the pasteboard: nothing is put back, and nothing else is tried.
      return routes.first.map { finish(.noAnswer($0)) } ?? []
    case (.opening, .leftForeground):
      // What counts is the time in front: the other app is there now.
      waitNumber += 1
      return []
    case (.opening, .cameBack):
      return startWaiting()
    default:
      return []
    }
  }

  /// What is being written or opened.
  private var opening: HandOff?

  private mutating func begin() -> [Effect] {
    switch routes.first {
    case .app(let destination):
      state = .preparing
      return [.prepare(destination)]
    case let route?:
      state = .presenting
      return [.present(route)]
    case nil:
      return restore() + finish(.refused(refusals))
    }
  }

  private mutating func prepared(_ handOff: HandOff, now: Date) -> [Effect] {
    opening = handOff
    // Once: a second route would save what the first one wrote.
    guard canRestore == nil else { return write(now: now) }
    state = .saving
    return [.savePasteboard]
  }

  private mutating func write(now: Date) -> [Effect] {
    guard let opening else { return [] }
    state = .writing
    return [
      .write(opening, expires: now.addingTimeInterval(TimeInterval(opening.expirationSeconds)))
    ]
  }

  private mutating func startWaiting() -> [Effect] {
    waitNumber += 1
    return [.wait(seconds: Self.answerSeconds, number: waitNumber)]
  }

  /// Goes on with the next route.
  private mutating func next(_ because: String) -> [Effect] {
    if let route = routes.popFirst() {
      refusals.append(ShareRefusal(route: route, because: because))
    }
    opening = nil
    return begin()
  }

  private mutating func restore() -> [Effect] {
    guard let changeCount else { return [] }
    self.changeCount = nil
    return [
      canRestore == true
        ? .restorePasteboard(ifChangeCount: changeCount)
        : .clearPasteboard(ifChangeCount: changeCount)
    ]
  }

  private mutating func finish(_ outcome: ShareOutcome) -> [Effect] {
    state = .done
    return [.finish(outcome)]
  }

  private mutating func fail(_ error: ShareError) -> [Effect] {
    let effects = restore()
    state = .done
    return effects + [.fail(error)]
  }
}

extension ShareError {
  /// Whether another route may do: the payload itself is whole.
  var isOfRoute: Bool { [.refused, .missingAppID].contains(code) }
}
