package import ReelsModel

/// Writes a manifest's `share`: how each destination takes the payload, or why it does not.
///
/// The keys, actions and limits are those of Meta's pages, each named where it is used.
package struct ShareBuilder: Sendable {
  package var files: [Manifest.File]
  private let media: Media
  /// The Facebook app ID; nil leaves it to the app that shares.
  package var appID: String?

  package init(
    files: [Manifest.File], video: Manifest.Video, coverTime: MediaTime, appID: String? = nil
  ) {
    self.files = files
    media = .video(video, coverTime: coverTime)
    self.appID = appID
  }

  /// Of a story without a video.
  package init(
    files: [Manifest.File], background: Manifest.Background?, appID: String? = nil
  ) {
    self.files = files
    media = .story(background)
    self.appID = appID
  }

  /// What is shared, but for the sticker.
  private enum Media {
    /// With the time of the cover's frame in the output.
    case video(Manifest.Video, coverTime: MediaTime)
    case story(Manifest.Background?)
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
    switch media {
    case .video(let video, let coverTime):
      guard let file = PayloadFile.video(in: files) else {
        return refused(destination, [ShareDestination.noVideo])
      }
      let refusals = destination.refusals(of: video, file, isRequested: isRequested)
      guard refusals.isEmpty else { return refused(destination, refusals) }
      return share(destination, file, coverTime)
    case .story(let background):
      let refusals = destination.refusals(of: background)
      guard refusals.isEmpty else { return refused(destination, refusals) }
      return story(destination, background)
    }
  }

  private func refused(_ destination: ShareDestination, _ refusals: [Share.Refusal]) -> Share {
    Share(destination: destination.rawValue, refused: refusals)
  }

  // MARK: Videos

  private func share(
    _ destination: ShareDestination, _ file: Manifest.File, _ coverTime: MediaTime
  ) -> Share {
    let sticker = PayloadFile.sticker(in: files)?.name
    switch destination {
    case .instagramReels:
      return Share(
        destination: destination.rawValue,
        ios: reels(destination, keys: "com.instagram.sharedSticker.", file.name, sticker),
        android: androidReels(file.name, sticker), graph: graphReel(coverTime))
    case .instagramStories:
      return Share(
        destination: destination.rawValue,
        ios: stories(["backgroundVideo": .file(file.name)], sticker),
        android: androidStories(file, sticker))
    case .facebookReels:
      return Share(
        destination: destination.rawValue,
        ios: reels(destination, keys: "com.facebook.sharedSticker.", file.name, sticker),
        android: androidFacebookReels(file.name, sticker))
    case .instagramGraph:
      return Share(destination: destination.rawValue, graph: graphReel(coverTime))
    case .instagramGraphStory:
      // Meta, IG User Media: `thumb_offset` is for videos and reels.
      return Share(destination: destination.rawValue, graph: Share.Graph(mediaType: "STORIES"))
    }
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
  private func stories(_ background: [String: Share.Item], _ sticker: String?) -> Share.IOS {
    var parts = background
    if let sticker { parts["stickerImage"] = .file(sticker) }
    let item = Dictionary(
      uniqueKeysWithValues: parts.map { ("com.instagram.sharedSticker.\($0)", $1) })
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
  private func androidStories(_ file: Manifest.File, _ sticker: String?) -> Share.Android {
    Share.Android(
      action: "com.instagram.share.ADD_TO_STORY", package: "com.instagram.android",
      type: file.mediaType, data: file.name, extras: androidExtras("source_application", sticker),
      grants: [file.name, sticker].compactMap { $0 })
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

  // MARK: Stories without a video

  private func story(
    _ destination: ShareDestination, _ background: Manifest.Background?
  ) -> Share {
    let sticker = PayloadFile.sticker(in: files)
    if let picture = PayloadFile.background(in: files) {
      return Share(
        destination: destination.rawValue,
        ios: stories(["backgroundImage": .file(picture.name)], sticker?.name),
        android: androidStories(picture, sticker?.name))
    }
    guard let sticker else {
      return refused(
        destination,
        [Share.Refusal(rule: .payloadFiles, because: "the payload has no picture and no sticker")])
    }
    var colors: [String: Share.Item] = [:]
    if let top = background?.topColor, let bottom = background?.bottomColor {
      colors = ["backgroundTopColor": .text(top), "backgroundBottomColor": .text(bottom)]
    }
    return Share(
      destination: destination.rawValue, ios: stories(colors, sticker.name),
      android: androidSticker(sticker, background))
  }

  /// Meta, Sharing to Stories, Android, 2026-06-30: a sticker alone is an extra, its media type the
  /// intent's, and the colours are extras as well.
  private func androidSticker(
    _ sticker: Manifest.File, _ background: Manifest.Background?
  ) -> Share.Android {
    var extras = androidExtras("source_application", sticker.name)
    extras["top_background_color"] = background?.topColor.map { .text($0) }
    extras["bottom_background_color"] = background?.bottomColor.map { .text($0) }
    return Share.Android(
      action: "com.instagram.share.ADD_TO_STORY", package: "com.instagram.android",
      type: sticker.mediaType, extras: extras, grants: [sticker.name])
  }

  // MARK: Parts

  /// Meta, IG User Media: `thumb_offset` in milliseconds. Rounded up, so that the cover's frame is
  /// on show at it, and not the one before.
  private func graphReel(_ coverTime: MediaTime) -> Share.Graph {
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
