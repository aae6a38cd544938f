public import Foundation

/// The user's clipboard, as far as a hand-over needs it.
@MainActor
public protocol PasteboardPort: AnyObject {
  /// Counts every change, by whichever app.
  var changeCount: Int { get }
  /// Keeps what is there for `restore`, where reading it asks the user for nothing: what this app wrote itself, or
  /// an empty pasteboard.
  ///
  /// - Returns: whether it can be put back.
  func save() -> Bool
  /// Replaces what is there. Nothing of it reaches the user's other devices where `localOnly` says so.
  ///
  /// - Throws: where the pasteboard does not take it whole; its change count tells whether it was changed.
  func write(_ items: [[String: PasteboardValue]], expires: Date, localOnly: Bool) throws
  func restore()
  func clear()
}

/// Opens the URL of another app.
@MainActor
public protocol OpenerPort: AnyObject {
  /// - Parameter completion: Called at most once, and perhaps never.
  func open(_ url: URL, completion: @escaping @MainActor @Sendable (Bool) -> Void)
}

/// Hands a file to the system.
@MainActor
public protocol PresenterPort: AnyObject {
  /// - Returns: whether the share sheet or the photo library took the file.
  func present(_ route: ShareRoute, file: URL) async -> Bool
}

/// The time, and sleep.
public protocol ClockPort: Sendable {
  var now: Date { get }
  /// Returns early where the task is cancelled.
  func sleep(seconds: Int) async
}

/// The real one.
public struct SystemClock: ClockPort {
  public init() {}
  public var now: Date { Date() }
  public func sleep(seconds: Int) async { try? await Task.sleep(for: .seconds(seconds)) }
}
