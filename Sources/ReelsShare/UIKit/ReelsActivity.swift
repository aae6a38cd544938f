#if canImport(UIKit) && !os(watchOS)
  import Foundation
  public import UIKit

  /// "Reels" among the activities of a share sheet whose items hold a payload's directory.
  @MainActor
  public final class ReelsActivity: UIActivity {
    private let destination: ShareDestination
    private let appID: String?
    private let title: String
    private let image: UIImage?
    private let onEnd: @MainActor (Result<ShareOutcome, any Error>) -> Void
    private var directory: URL?

    /// - Parameters:
    ///   - title: As the share sheet shows it.
    ///   - image: A template; the platform's brand pages say which marks may be used.
    ///   - onEnd: What became of it.
    public init(
      destination: ShareDestination = .instagramReels, appID: String?, title: String = "Reels",
      image: UIImage? = UIImage(systemName: "play.rectangle.on.rectangle"),
      onEnd: @escaping @MainActor (Result<ShareOutcome, any Error>) -> Void = { _ in }
    ) {
      self.destination = destination
      self.appID = appID
      self.title = title
      self.image = image
      self.onEnd = onEnd
      super.init()
    }

    public override class var activityCategory: UIActivity.Category { .share }
    public override var activityType: UIActivity.ActivityType? {
      UIActivity.ActivityType("reels-prep.\(destination.rawValue)")
    }
    public override var activityTitle: String? { title }
    public override var activityImage: UIImage? { image }

    /// Whether there is a payload; not whether the app is installed, which only opening it tells.
    public override func canPerform(withActivityItems items: [Any]) -> Bool {
      Self.directory(in: items) != nil
    }

    public override func prepare(withActivityItems items: [Any]) {
      directory = Self.directory(in: items)
    }

    public override func perform() {
      guard let directory else {
        activityDidFinish(false)
        return
      }
      Task {
        let result = await HandOffRunner.system.share(directory, to: destination, appID: appID)
        onEnd(result)
        if case .success(.opened) = result {
          activityDidFinish(true)
        } else {
          activityDidFinish(false)
        }
      }
    }

    /// The first directory that has a manifest.
    private static func directory(in items: [Any]) -> URL? {
      items.lazy.compactMap { $0 as? URL }.first { url in
        url.isFileURL
          && FileManager.default.fileExists(
            atPath: url.appendingPathComponent("payload.json").path)
      }
    }
  }
#endif
