import ReelsModel

/// Tells which of a project's files are the app's own.
enum AppFiles {
  /// Whether an Info.plist is an app's: not an extension's, a test's, a framework's or a watch app's.
  ///
  /// Apple, CFBundlePackageType: APPL for apps. Where Xcode generates the rest of the file, the key
  /// is not in it.
  static func isApp(_ list: PropertyList, at file: FilePath, in project: FilePath) -> Bool {
    let kind = list["CFBundlePackageType"]?.text ?? "APPL"
    guard kind == "APPL" || kind.hasPrefix("$") else { return false }
    let others = ["NSExtension", "EXAppExtensionAttributes", "WKApplication", "WKWatchKitApp"]
    if others.contains(where: { list[$0] != nil }) { return false }
    let folders = names(of: file, in: project)
    return !folders.contains { $0.hasSuffix("Tests") || $0.hasSuffix("Test") }
  }

  /// Whether a manifest is of a source set that every build has: `src/main`, or none at all.
  static func isMainSource(_ file: FilePath, in project: FilePath) -> Bool {
    let folders = names(of: file, in: project)
    guard let source = folders.lastIndex(of: "src"), source + 1 < folders.count else { return true }
    return folders[source + 1] == "main"
  }

  /// Whether a manifest has an activity that the launcher shows, as an app's has and a library's
  /// has not.
  static func isLaunched(_ manifest: Markup) -> Bool {
    manifest.children(named: "application")
      .flatMap { $0.children(named: "activity") + $0.children(named: "activity-alias") }
      .flatMap { $0.children(named: "intent-filter") }
      .contains { filter in
        filter.children(named: "category")
          .contains { $0.android("name") == "android.intent.category.LAUNCHER" }
      }
  }

  /// The folders between the project's and the file.
  private static func names(of file: FilePath, in project: FilePath) -> [String] {
    let inside = file.parent.bytes.dropFirst(project.bytes.count)
    return inside.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }
}
