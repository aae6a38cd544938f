package import ReelsModel

/// Writes a manifest's `share`: how each destination takes the payload, or why it does not.
///
/// The keys, actions and limits are those of Meta's pages, each named where it is used.
package struct ShareBuilder: Sendable {
  package var files: [Manifest.File]
  package var video: Manifest.Video
  /// The time of the cover's frame in the output.
  package var coverTime: MediaTime
  /// The Facebook app ID; nil leaves it to the app that shares.
  package var appID: String?

  package init(
    files: [Manifest.File], video: Manifest.Video, coverTime: MediaTime, appID: String? = nil
  ) {
    self.files = files
    self.video = video
    self.coverTime = coverTime
    self.appID = appID
  }

  /// The requested destination first, then the others that a payload may suit.
  package func shares(requested destination: String) -> [Share] {
    let others = ShareDestination.offered.map(\.rawValue).filter { $0 != destination }
    return ([destination] + others).map { name in
      guard let known = ShareDestination(rawValue: name) else {
        return Share(
          destination: name,
          refused: [
            Share.Refusal(
              rule: Rule(rawValue: "destination"), because: "no way of sharing to it is known")
          ])
      }
      return share(known, isRequested: name == destination)
    }
  }

  private func share(_ destination: ShareDestination, isRequested: Bool) -> Share {
    guard let file = PayloadFile.video(in: files) else {
      return refused(
        destination, [Share.Refusal(rule: .payloadFiles, because: "the payload has no video")])
    }
    let refusals = destination.refusals(of: video, file, isRequested: isRequested)
    guard refusals.isEmpty else { return refused(destination, refusals) }
    let sticker = PayloadFile.sticker(in: files)?.name
    switch destination {
    case .instagramReels:
      return Share(
        destination: destination.rawValue,
        ios: reels(destination, keys: "com.instagram.sharedSticker.", file.name, sticker),
        android: androidReels(file.name, sticker), graph: graph)
    case .instagramStories:
      return Share(
        destination: destination.rawValue, ios: stories(file.name, sticker),
        android: androidStories(file.name, sticker))
    case .facebookReels:
      return Share(
        destination: destination.rawValue,
        ios: reels(destination, keys: "com.facebook.sharedSticker.", file.name, sticker),
        android: androidFacebookReels(file.name, sticker))
    case .instagramGraph:
      return Share(destination: destination.rawValue, graph: graph)
    }
  }

  private func refused(_ destination: ShareDestination, _ refusals: [Share.Refusal]) -> Share {
    Share(destination: destination.rawValue, refused: refusals)
  }

  /// Meta, Sharing to Reels, iOS: each key in a pasteboard item of its own.
  private func reels(
    _ destination: ShareDestination, keys prefix: String, _ video: String, _ sticker: String?
  ) -> Share.IOS {
    var items: [[String: Share.Item]] = [["\(prefix)backgroundVideo": .file(video)]]
    if let sticker { items.append(["\(prefix)stickerImage": .file(sticker)]) }
    items.append(["\(prefix)appID": appIDItem])
    return ios(url: "\(destination.rawValue)://share", destination, items)
  }

  /// Meta, Sharing to Stories, iOS: all keys in one item, and the app ID in the URL.
  private func stories(_ video: String, _ sticker: String?) -> Share.IOS {
    let prefix = "com.instagram.sharedSticker."
    var item: [String: Share.Item] = ["\(prefix)backgroundVideo": .file(video)]
    if let sticker { item["\(prefix)stickerImage"] = .file(sticker) }
    return ios(
      url: "instagram-stories://share?source_application=\(appIDInURL)",
      .instagramStories, [item])
  }

  private func ios(
    url: String, _ destination: ShareDestination, _ items: [[String: Share.Item]]
  ) -> Share.IOS {
    // The pages' samples let the pasteboard expire after five minutes.
    Share.IOS(
      url: url, querySchemes: [destination.rawValue], pasteboard: items, expirationSeconds: 300,
      localOnly: true)
  }

  /// Meta, Sharing to Reels, Android.
  private func androidReels(_ video: String, _ sticker: String?) -> Share.Android {
    Share.Android(
      action: "com.instagram.share.ADD_TO_REEL", package: "com.instagram.android",
      type: "video/*", stream: video,
      extras: androidExtras("com.instagram.platform.extra.APPLICATION_ID", sticker),
      grants: [video, sticker].compactMap { $0 })
  }

  /// Meta, Sharing to Stories, Android, 2026-06-30: the background is the intent's data, and the
  /// app ID is `source_application`.
  private func androidStories(_ video: String, _ sticker: String?) -> Share.Android {
    Share.Android(
      action: "com.instagram.share.ADD_TO_STORY", package: "com.instagram.android",
      type: "video/mp4", data: video, extras: androidExtras("source_application", sticker),
      grants: [video, sticker].compactMap { $0 })
  }

  /// Meta, Sharing to Reels, Facebook, Android, and its sample app: the video is the intent's data.
  private func androidFacebookReels(_ video: String, _ sticker: String?) -> Share.Android {
    Share.Android(
      action: "com.facebook.reels.SHARE_TO_REEL", package: "com.facebook.katana",
      type: "video/mp4", data: video,
      extras: androidExtras("com.facebook.platform.extra.APPLICATION_ID", sticker),
      grants: [video, sticker].compactMap { $0 })
  }

  private func androidExtras(_ appIDKey: String, _ sticker: String?) -> [String: Share.Item] {
    var extras = [appIDKey: appIDItem]
    if let sticker { extras["interactive_asset_uri"] = .file(sticker) }
    return extras
  }

  /// Meta, IG User Media: `thumb_offset` in milliseconds. Rounded up, so that the cover's frame is
  /// on show at it, and not the one before.
  private var graph: Share.Graph {
    Share.Graph(
      mediaType: "REELS",
      thumbOffsetMilliseconds: Int((coverTime.seconds * Ratio(1_000)).ceiling))
  }

  private var appIDItem: Share.Item { appID.map { .text($0) } ?? .appSupplies("appID") }

  /// The app ID, percent-encoded but for the unreserved characters of RFC 3986.
  private var appIDInURL: String {
    guard let appID else { return Self.appIDPlace }
    return appID.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
        return String(scalar)
      }
      if "-._~".unicodeScalars.contains(scalar) { return String(scalar) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    }.joined()
  }

  /// Stands in a URL for the app ID until an app gives it.
  package static let appIDPlace = "{appID}"
}
