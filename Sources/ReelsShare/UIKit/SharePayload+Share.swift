#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import UIKit

  extension HandOffRunner {
    /// The app's own, which follows it to the background and back.
    public static let system: HandOffRunner = {
      let runner = HandOffRunner(pasteboard: SystemPasteboard(), opener: SystemOpener())
      runner.follow(UIApplication.didEnterBackgroundNotification) { $0.leftForeground() }
      runner.follow(UIApplication.willEnterForegroundNotification) { $0.cameBack() }
      return runner
    }()

    /// Reads a payload and hands it to an app.
    func share(
      _ directory: URL, to destination: ShareDestination, appID: String?
    ) async -> Result<ShareOutcome, any Error> {
      do {
        return .success(
          try await share([.app(destination)], appID: appID, directory: directory) {
            try SharePayload(contentsOf: directory)
          })
      } catch {
        return .failure(error)
      }
    }

    private func follow(
      _ name: Notification.Name, _ body: @escaping @MainActor @Sendable (HandOffRunner) -> Void
    ) {
      _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) {
        [weak self] _ in
        MainActor.assumeIsolated {
          if let self { body(self) }
        }
      }
    }
  }

  extension SharePayload {
    /// Hands the payload to an app.
    ///
    /// - Parameter appID: The Facebook app ID; nil where the payload was made with one.
    /// - Returns: whether the app opened, refused, or gave no answer within ten seconds.
    /// - Throws: `CancellationError`.
    @MainActor
    public func share(
      to destination: ShareDestination, appID: String? = nil
    ) async throws -> ShareOutcome {
      try await HandOffRunner.system.share([.app(destination)], appID: appID, directory: nil) {
        self
      }
    }
  }
#endif
