/// A place that a payload is shared to, as the manifest's `share` names it.
public struct ShareDestination: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let instagramReels = ShareDestination(rawValue: "instagram-reels")
  public static let instagramStories = ShareDestination(rawValue: "instagram-stories")
  public static let facebookReels = ShareDestination(rawValue: "facebook-reels")
}
