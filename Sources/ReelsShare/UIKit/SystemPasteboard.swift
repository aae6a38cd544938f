#if canImport(UIKit) && !os(watchOS)
  public import Foundation
  import UIKit

  /// The general pasteboard.
  @MainActor
  public final class SystemPasteboard: PasteboardPort {
    private let pasteboard: UIPasteboard
    private var kept: [[String: Any]] = []
    /// The change count after this app's own last writing.
    private static var written: Int?

    public init() { pasteboard = .general }

    public var changeCount: Int { pasteboard.changeCount }

    /// Reading what another app copied asks the user (iOS 16 and later); reading one's own does not, and an empty
    /// pasteboard has nothing to read.
    public func save() -> Bool {
      if pasteboard.numberOfItems == 0 {
        kept = []
        return true
      }
      guard Self.written == pasteboard.changeCount else { return false }
      kept = pasteboard.items
      return true
    }

    public func write(
      _ items: [[String: PasteboardValue]], expires: Date, localOnly: Bool
    ) throws {
      let values: [[String: Any]] = items.map { item in
        item.mapValues { value -> Any in
          switch value {
          case .bytes(let data): data
          case .text(let text): text
          }
        }
      }
      pasteboard.setItems(values, options: [.localOnly: localOnly, .expirationDate: expires])
      guard pasteboard.numberOfItems == items.count else { throw CocoaError(.fileWriteUnknown) }
      Self.written = pasteboard.changeCount
    }

    public func restore() {
      pasteboard.setItems(kept, options: [:])
      Self.written = pasteboard.changeCount
      kept = []
    }

    public func clear() {
      kept = []
      restore()
    }
  }
#endif
