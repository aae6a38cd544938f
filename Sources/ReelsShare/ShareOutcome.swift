/// A way to hand a payload over.
public enum ShareRoute: Hashable, Sendable {
  /// An app that is opened by its URL, after the pasteboard was written.
  case app(ShareDestination)
  /// The system's share sheet, with the file of the video, or of a story's picture or sticker.
  case shareSheet
  /// The photo library, from where every app can take the same file.
  case photos
}

/// How a hand-over ended.
public enum ShareOutcome: Hashable, Sendable {
  /// The system opened the app; the share sheet or the photo library took the file.
  case opened(ShareRoute)
  /// No route worked: each with its reason. The clipboard is as it was, where it could be saved.
  case refused([ShareRefusal])
  /// The app did not answer in time. It may have opened all the same, and the clipboard is left to it.
  case noAnswer(ShareRoute)
}

/// Why a route did not work, in words that follow its name.
public struct ShareRefusal: Hashable, Sendable {
  public var route: ShareRoute
  public var because: String

  public init(route: ShareRoute, because: String) {
    self.route = route
    self.because = because
  }
}
