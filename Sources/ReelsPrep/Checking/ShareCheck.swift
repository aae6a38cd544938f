internal import ReelsModel

/// Whether what a manifest tells an app to share is in the payload.
struct ShareCheck: Sendable {
  let manifest: Manifest

  /// In words that follow "payload.json".
  var faults: [String] {
    var faults: [String] = []
    var seen: Set<String> = []
    for share in manifest.share {
      let name = share.destination
      if !seen.insert(name).inserted { faults.append("\(name) twice") }
      let takes = share.ios != nil || share.android != nil || share.graph != nil
      if takes == (share.refused?.isEmpty == false) {
        faults.append("\(name) neither taken nor refused, or both")
      }
      faults += (share.ios.map(ios) ?? []).map { "\(name): \($0)" }
      faults += (share.android.map(android) ?? []).map { "\(name): \($0)" }
      if let offset = share.graph?.thumbOffsetMilliseconds,
        offset < 0
          || MediaTime(seconds: Ratio(Int64(offset), 1_000))
            > manifest.video?.durationSeconds ?? .zero
      {
        faults.append("\(name): a thumbnail at \(offset) ms")
      }
    }
    return faults
  }

  private func ios(_ share: Share.IOS) -> [String] {
    var faults: [String] = []
    let scheme = String(share.url.prefix { $0 != ":" })
    if scheme.isEmpty || !share.url.contains("://") || !share.querySchemes.contains(scheme) {
      faults.append("the URL's scheme is not among its query schemes")
    }
    let items = share.pasteboard.flatMap(\.values)
    if share.pasteboard.isEmpty { faults.append("nothing for the pasteboard") }
    if share.expirationSeconds <= 0 { faults.append("a pasteboard that never holds anything") }
    return faults + missing(items.compactMap(\.fileName))
  }

  private func android(_ share: Share.Android) -> [String] {
    var faults: [String] = []
    let hasSticker = share.extras["interactive_asset_uri"]?.fileName != nil
    if share.data != nil && share.stream != nil
      || share.data == nil && share.stream == nil && !(manifest.video == nil && hasSticker)
    {
      faults.append("an intent that carries no file, or one in two ways")
    }
    let named =
      [share.data, share.stream].compactMap { $0 } + share.extras.values.compactMap(\.fileName)
    if let left = named.first(where: { !share.grants.contains($0) }) {
      faults.append("no permission for \(left)")
    }
    return faults + missing(named + share.grants)
  }

  private func missing(_ names: [String]) -> [String] {
    let files = Set(manifest.files.map(\.name))
    return Set(names).subtracting(files).sorted().map { "\($0), which is no file of it" }
  }
}

extension Share.Item {
  fileprivate var fileName: String? { if case .file(let name) = self { name } else { nil } }
}
