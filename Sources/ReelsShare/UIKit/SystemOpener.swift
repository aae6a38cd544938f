#if canImport(UIKit) && !os(watchOS)
  public import Foundation
  import UIKit

  /// Opens URLs as the app. An extension has no application: there, give the runner an opener of its own.
  @MainActor
  public final class SystemOpener: OpenerPort {
    public init() {}

    public func open(_ url: URL, completion: @escaping @MainActor @Sendable (Bool) -> Void) {
      UIApplication.shared.open(url, options: [:], completionHandler: completion)
    }
  }
#endif
