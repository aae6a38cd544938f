public import Foundation
import ReelsModel

/// One pasteboard value: bytes, never a path or a base64 text.
public enum PasteboardValue: Hashable, Sendable {
  case bytes(Data)
  case text(String)

  var isEmpty: Bool {
    switch self {
    case .bytes(let data): data.isEmpty
    case .text(let text): text.isEmpty
    }
  }
}

/// Everything that a hand-over to another app needs, complete before anything is touched.
public struct HandOff: Hashable, Sendable {
  /// One dictionary for each pasteboard item, laid out as the destination's page asks.
  public let items: [[String: PasteboardValue]]
  /// The URL that opens the app, with the app ID in its place.
  public let url: URL
  /// What the app's Info.plist has to list under `LSApplicationQueriesSchemes`.
  public let querySchemes: [String]
  /// After so many seconds the pasteboard forgets the items.
  public let expirationSeconds: Int
  /// Whether the items are kept from the user's other devices.
  public let localOnly: Bool

  /// - Throws: `ShareError`.
  init(
    _ ios: Share.IOS, destination: ShareDestination, contents: [String: Data], appID: String?
  ) throws(ShareError) {
    let appID = appID.flatMap { $0.isEmpty ? nil : $0 }
    var items: [[String: PasteboardValue]] = []
    for item in ios.pasteboard {
      var values: [String: PasteboardValue] = [:]
      for (key, value) in item {
        values[key] = try Self.value(value, contents: contents, appID: appID)
        guard values[key]?.isEmpty == false, !key.isEmpty else {
          throw ShareError(
            code: .badManifest, sentence: "the pasteboard's \(key.singleLine) would be empty")
        }
      }
      items.append(values)
    }
    guard !items.isEmpty, items.allSatisfy({ !$0.isEmpty }) else {
      throw ShareError(code: .badManifest, sentence: "the manifest has an empty pasteboard item")
    }
    self.items = items
    self.url = try Self.url(ios.url, destination: destination, appID: appID)
    self.querySchemes = ios.querySchemes
    // Never longer than the pages' five minutes, whatever the manifest says.
    self.expirationSeconds = min(max(ios.expirationSeconds, 1), 300)
    self.localOnly = ios.localOnly
  }

  private static func value(
    _ item: Share.Item, contents: [String: Data], appID: String?
  ) throws(ShareError) -> PasteboardValue {
    switch item {
    case .text(let text): return .text(text)
    case .file(let name): return .bytes(contents[name] ?? Data())
    case .appSupplies("appID"):
      guard let appID else { throw missingAppID }
      return .text(appID)
    case .appSupplies(let what):
      throw ShareError(
        code: .badManifest,
        sentence: "the manifest asks the app for \(what.singleLine), which is not known")
    }
  }

  private static func url(
    _ template: String, destination: ShareDestination, appID: String?
  ) throws(ShareError) -> URL {
    var text = template
    if text.contains(appIDPlace) {
      // The unreserved characters of RFC 3986.
      let unreserved = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
      guard let appID = appID?.addingPercentEncoding(withAllowedCharacters: unreserved) else {
        throw missingAppID
      }
      text = text.replacingOccurrences(of: appIDPlace, with: appID)
    }
    // A manifest is no reason to open anything but the destination's own app.
    guard let url = URL(string: text), url.scheme == destination.rawValue else {
      throw ShareError(
        code: .badManifest,
        sentence: "\(text.singleLine) is no URL of \(destination.rawValue)")
    }
    return url
  }

  private static var missingAppID: ShareError {
    ShareError(
      code: .missingAppID,
      sentence: "the destination needs the app's Facebook app ID; pass it as appID")
  }

  private static let appIDPlace = "{appID}"
}
