#if canImport(UIKit) && canImport(SwiftUI) && !os(watchOS)
  public import Foundation
  public import SwiftUI

  /// A button that hands a payload over, and is disabled meanwhile.
  public struct ShareToReelsButton: View {
    private let directory: URL
    private let destination: ShareDestination
    private let appID: String?
    private let title: String
    private let onEnd: @MainActor (Result<ShareOutcome, any Error>) -> Void
    @State private var isSharing = false

    /// - Parameters:
    ///   - directory: The payload's.
    ///   - onEnd: What became of it, for what the app says then.
    public init(
      _ title: String = "Share to Reels", directory: URL,
      destination: ShareDestination = .instagramReels, appID: String?,
      onEnd: @escaping @MainActor (Result<ShareOutcome, any Error>) -> Void
    ) {
      self.title = title
      self.directory = directory
      self.destination = destination
      self.appID = appID
      self.onEnd = onEnd
    }

    public var body: some View {
      Button(title) { share() }.disabled(isSharing)
    }

    private func share() {
      isSharing = true
      Task { @MainActor in
        defer { isSharing = false }
        onEnd(await HandOffRunner.system.share(directory, to: destination, appID: appID))
      }
    }
  }
#endif
