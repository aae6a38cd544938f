/// How one destination takes the payload: an element of a manifest's `share`.
public struct Share: Hashable, Sendable, Codable {
  /// As in "instagram-reels".
  public var destination: String
  public var ios: IOS?
  public var android: Android?
  public var graph: Graph?
  /// Why the destination does not take this payload; nil where it does.
  public var refused: [Refusal]?

  public init(
    destination: String, ios: IOS? = nil, android: Android? = nil, graph: Graph? = nil,
    refused: [Refusal]? = nil
  ) {
    self.destination = destination
    self.ios = ios
    self.android = android
    self.graph = graph
    self.refused = refused
  }

  public struct Refusal: Hashable, Sendable, Codable {
    public var rule: Rule
    public var because: String

    public init(rule: Rule, because: String) {
      self.rule = rule
      self.because = because
    }
  }

  /// Pasteboard items and the URL that opens the app.
  public struct IOS: Hashable, Sendable, Codable {
    /// May hold `{appID}` until an app ID is given.
    public var url: String
    public var querySchemes: [String]
    /// One dictionary an item.
    public var pasteboard: [[String: Item]]
    public var expirationSeconds: Int
    public var localOnly: Bool

    public init(
      url: String, querySchemes: [String], pasteboard: [[String: Item]], expirationSeconds: Int,
      localOnly: Bool
    ) {
      self.url = url
      self.querySchemes = querySchemes
      self.pasteboard = pasteboard
      self.expirationSeconds = expirationSeconds
      self.localOnly = localOnly
    }
  }

  /// A pasteboard value: `{"file": name}`, `{"text": …}` or `{"appSupplies": "appID"}`.
  public enum Item: Hashable, Sendable, Codable {
    case file(String)
    case text(String)
    case appSupplies(String)

    private enum CodingKeys: String, CodingKey { case file, text, appSupplies }

    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if let name = try container.decodeIfPresent(String.self, forKey: .file) {
        self = .file(name)
      } else if let text = try container.decodeIfPresent(String.self, forKey: .text) {
        self = .text(text)
      } else {
        self = .appSupplies(try container.decode(String.self, forKey: .appSupplies))
      }
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .file(let name): try container.encode(name, forKey: .file)
      case .text(let text): try container.encode(text, forKey: .text)
      case .appSupplies(let what): try container.encode(what, forKey: .appSupplies)
      }
    }
  }

  /// The intent that opens the app.
  public struct Android: Hashable, Sendable, Codable {
    public var action: String
    public var package: String
    public var type: String
    /// The file whose content URI is the intent's data; nil where the action takes it as an extra,
    /// and where there is a sticker alone.
    public var data: String?
    /// The file that goes into `EXTRA_STREAM` as a content URI; nil where the action takes it as
    /// the intent's data, and where there is a sticker alone.
    public var stream: String?
    public var extras: [String: Item]
    /// Files whose content URIs need `grantUriPermission`.
    public var grants: [String]

    public init(
      action: String, package: String, type: String, data: String? = nil, stream: String? = nil,
      extras: [String: Item], grants: [String]
    ) {
      self.action = action
      self.package = package
      self.type = type
      self.data = data
      self.stream = stream
      self.extras = extras
      self.grants = grants
    }
  }

  /// The container upload of the Graph API.
  public struct Graph: Hashable, Sendable, Codable {
    /// "REELS" or "STORIES".
    public var mediaType: String
    /// nil of a story, which has none.
    public var thumbOffsetMilliseconds: Int?

    public init(mediaType: String, thumbOffsetMilliseconds: Int? = nil) {
      self.mediaType = mediaType
      self.thumbOffsetMilliseconds = thumbOffsetMilliseconds
    }
  }
}
