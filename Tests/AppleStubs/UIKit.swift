// The declarations of UIKit that ReelsShare and its example use, each as its documentation page has it, so that a
// machine without Apple's SDK can check the types of both. They do nothing.

public import Foundation

/// https://developer.apple.com/documentation/uikit/uipasteboard
@MainActor
open class UIPasteboard {
  /// …/uipasteboard/general
  public class var general: UIPasteboard { UIPasteboard() }
  /// …/uipasteboard/changecount
  open var changeCount: Int { 0 }
  /// …/uipasteboard/numberofitems
  open var numberOfItems: Int { 0 }
  /// …/uipasteboard/items
  open var items: [[String: Any]] = []
  /// …/uipasteboard/setitems(_:options:)
  open func setItems(_ items: [[String: Any]], options: [UIPasteboard.OptionsKey: Any] = [:]) {}

  /// …/uipasteboard/optionskey
  public struct OptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// …/optionskey/expirationdate
    public static let expirationDate = OptionsKey(rawValue: "expirationDate")
    /// …/optionskey/localonly
    public static let localOnly = OptionsKey(rawValue: "localOnly")
  }
}

/// https://developer.apple.com/documentation/uikit/uiapplication
@MainActor
open class UIApplication {
  /// …/uiapplication/shared
  public class var shared: UIApplication { UIApplication() }
  /// …/uiapplication/openexternalurloptionskey
  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
  }
  /// …/uiapplication/open(_:options:completionhandler:)
  open func open(
    _ url: URL, options: [UIApplication.OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
  ) {}
  /// …/uiapplication/didenterbackgroundnotification
  public nonisolated class var didEnterBackgroundNotification: Notification.Name {
    Notification.Name("UIApplicationDidEnterBackgroundNotification")
  }
  /// …/uiapplication/willenterforegroundnotification
  public nonisolated class var willEnterForegroundNotification: Notification.Name {
    Notification.Name("UIApplicationWillEnterForegroundNotification")
  }
}

/// https://developer.apple.com/documentation/uikit/uiimage
open class UIImage: @unchecked Sendable {
  /// …/uiimage/init(systemname:)
  public init?(systemName name: String) {}
}

/// https://developer.apple.com/documentation/uikit/uiview
@MainActor
open class UIView {
  /// …/uiview/bounds
  open var bounds = CGRect()
  public init() {}
}

/// https://developer.apple.com/documentation/uikit/uipopoverpresentationcontroller
@MainActor
open class UIPopoverPresentationController {
  /// …/sourceview
  open var sourceView: UIView?
  /// …/sourcerect
  open var sourceRect = CGRect()
}

/// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor
open class UIViewController {
  public init() {}
  /// …/uiviewcontroller/view
  open var view: UIView! = UIView()
  /// …/uiviewcontroller/popoverpresentationcontroller
  open var popoverPresentationController: UIPopoverPresentationController? { nil }
  /// …/uiviewcontroller/present(_:animated:completion:)
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {}
}

/// https://developer.apple.com/documentation/uikit/uiactivityviewcontroller
@MainActor
open class UIActivityViewController: UIViewController {
  /// …/init(activityitems:applicationactivities:)
  public init(activityItems: [Any], applicationActivities: [UIActivity]?) { super.init() }
  /// …/completionwithitemshandler-swift.property
  open var completionWithItemsHandler:
    ((UIActivity.ActivityType?, Bool, [Any]?, (any Error)?) -> Void)?
}

/// https://developer.apple.com/documentation/uikit/uiactivity
@MainActor
open class UIActivity {
  public init() {}
  /// …/uiactivity/category
  public enum Category: Int, Sendable { case action, share }
  /// …/uiactivity/activitytype-swift.struct
  public struct ActivityType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
  }
  /// …/uiactivity/activitycategory
  open class var activityCategory: UIActivity.Category { .action }
  /// …/uiactivity/activitytype-swift.property
  open var activityType: UIActivity.ActivityType? { nil }
  /// …/uiactivity/activitytitle
  open var activityTitle: String? { nil }
  /// …/uiactivity/activityimage
  open var activityImage: UIImage? { nil }
  /// …/uiactivity/canperform(withactivityitems:)
  open func canPerform(withActivityItems activityItems: [Any]) -> Bool { false }
  /// …/uiactivity/prepare(withactivityitems:)
  open func prepare(withActivityItems activityItems: [Any]) {}
  /// …/uiactivity/perform()
  open func perform() {}
  /// …/uiactivity/activitydidfinish(_:)
  open func activityDidFinish(_ completed: Bool) {}
}
