import ReelsModel

/// Looks in a project's folder for the files that the doctor reads.
///
/// Links are not followed. What is built, fetched or hidden is left alone, and the search is bounded in depth and in
/// the number of names.
struct ProjectSearch {
  static let depthMaximum = 16
  static let namesMaximum = 100_000
  static let filesMaximum = 200

  private(set) var infoPlists: [FilePath] = []
  private(set) var manifests: [FilePath] = []
  /// Files of any `res/xml`.
  private(set) var resources: [FilePath] = []
  /// Whether it ended at one of the bounds.
  private(set) var isCutShort = false
  private var names = 0

  /// - Throws: `FileError` where the folder itself cannot be listed; what is unreadable below it
  ///   is left alone.
  init(_ folder: FilePath) throws(FileError) {
    var folders = [(path: folder, depth: 0)]
    while let next = folders.popLast() {
      let found: [FilePath]
      do {
        found = try DirectoryTree.names(in: next.path)
      } catch {
        if next.depth == 0 { throw error }
        continue
      }
      var below: [(path: FilePath, depth: Int)] = []
      for name in found {
        names += 1
        guard names <= Self.namesMaximum else {
          isCutShort = true
          return
        }
        let path = next.path.appending(name)
        guard let status = try? FileSystem.status(path, followingLinks: false) else { continue }
        if status.kind == .file {
          take(path, in: next.path)
        } else if status.kind == .directory, !Self.isLeftAlone(name) {
          below.append((path, next.depth + 1))
        }
      }
      if next.depth + 1 >= Self.depthMaximum {
        isCutShort = isCutShort || !below.isEmpty
      } else {
        folders += below.reversed()
      }
    }
  }

  private mutating func take(_ path: FilePath, in folder: FilePath) {
    let name = path.lastComponent.string
    let isTaken = infoPlists.count + manifests.count + resources.count < Self.filesMaximum
    let isResource =
      path.pathExtension == "xml" && folder.lastComponent == "xml"
      && folder.parent.lastComponent == "res"
    guard name.hasSuffix("Info.plist") || name == "AndroidManifest.xml" || isResource else {
      return
    }
    guard isTaken else {
      isCutShort = true
      return
    }
    if isResource {
      resources.append(path)
    } else if name == "AndroidManifest.xml" {
      manifests.append(path)
    } else {
      infoPlists.append(path)
    }
  }

  private static let leftAlone: Set<String> = [
    "build", "DerivedData", "Pods", "Carthage", "node_modules", "SourcePackages", "vendor",
    "intermediates",
  ]
  /// Bundles that are built, and payloads.
  private static let leftAloneExtensions: Set<String> = [
    "app", "appex", "framework", "xcframework", "xcarchive", "bundle", "xctest", "reel",
    "xcodeproj", "xcworkspace", "xcassets", "lproj",
  ]

  private static func isLeftAlone(_ name: FilePath) -> Bool {
    name.isHidden || leftAlone.contains(name.string) || name.string.lowercased() == "build"
      || leftAloneExtensions.contains(name.pathExtension)
  }
}
