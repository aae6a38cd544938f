import ReelsModel

/// Searches one folder for videos, by content.
///
/// Hidden names, `*.reel` and the output directory are left alone. Links are followed after
/// everything that is really there, so that a file reached both ways keeps its real path; a folder
/// is entered once, whatever leads to it.
struct DirectoryWalk {
  /// A file that may be a video.
  struct Found: Hashable {
    let path: FilePath
    let identity: FileStatus.Identity
  }

  private(set) var found: [Found] = []
  private(set) var passedOver = Inputs.PassedOver()
  private(set) var unreadable: [(path: FilePath, error: FileError)] = []

  private let root: FilePath
  private let outputDirectory: FileStatus.Identity?
  private var entered: Set<FileStatus.Identity> = []
  private var seen: Set<FileStatus.Identity> = []
  private var links: [FilePath] = []
  private var linksAreSorted = true

  init(root: FilePath, outputDirectory: FileStatus.Identity?) {
    self.root = root
    self.outputDirectory = outputDirectory
  }

  /// Walks everything. The files found are sorted by the bytes of their paths.
  ///
  /// - Throws: `CancellationError` soon after `isCancelled` turns true.
  mutating func run(isCancelled: () -> Bool) throws(CancellationError) {
    var folders = [root]
    while true {
      if let folder = folders.popLast() {
        for path in contents(of: folder) {
          if isCancelled() { throw CancellationError() }
          if look(at: path, followingLinks: false) { folders.append(path) }
        }
      } else if let link = nextLink() {
        if look(at: link, followingLinks: true) { folders.append(link) }
      } else {
        break
      }
    }
    found.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
  }

  /// The paths in a folder that is entered for the first time, without those left alone by name.
  private mutating func contents(of folder: FilePath) -> [FilePath] {
    do throws(FileError) {
      guard let identity = try FileSystem.status(folder)?.identity else { return [] }
      if identity == outputDirectory, folder != root {
        passedOver.payloads += 1
        return []
      }
      guard entered.insert(identity).inserted else {
        passedOver.repeated += 1
        return []
      }
      return try DirectoryTree.names(in: folder).filter { name in
        if name.isHidden { passedOver.hidden += 1 }
        let isPayload = !name.isHidden && name.pathExtension == "reel"
        if isPayload { passedOver.payloads += 1 }
        return !name.isHidden && !isPayload
      }.map { folder.appending($0) }
    } catch {
      unreadable.append((folder, error))
      return []
    }
  }

  /// Takes or passes over what is at `path`.
  ///
  /// - Returns: whether it is a folder, to be entered.
  private mutating func look(at path: FilePath, followingLinks: Bool) -> Bool {
    do throws(FileError) {
      // A link to nowhere, or a file that is gone meanwhile, is nothing that could be prepared.
      guard let status = try FileSystem.status(path, followingLinks: followingLinks) else {
        passedOver.others += 1
        return false
      }
      switch status.kind {
      case .directory: return true
      case .symbolicLink:
        links.append(path)
        linksAreSorted = false
      case .other: passedOver.others += 1
      case .file where seen.insert(status.identity).inserted:
        switch try MediaSniffer.kind(of: path) {
        case .video: found.append(Found(path: path, identity: status.identity))
        case .still: passedOver.stills += 1
        case .sound: passedOver.sounds += 1
        case .other: passedOver.others += 1
        }
      case .file: passedOver.repeated += 1
      }
    } catch {
      // Only what looks like a video is missed.
      if MediaSniffer.videoExtensions.contains(path.pathExtension) {
        unreadable.append((path, error))
      } else {
        passedOver.others += 1
      }
    }
    return false
  }

  /// The first of the waiting links by the bytes of its path, so that which of two links leads to
  /// a folder depends on names alone.
  private mutating func nextLink() -> FilePath? {
    if !linksAreSorted {
      links.sort { $1.bytes.lexicographicallyPrecedes($0.bytes) }
      linksAreSorted = true
    }
    return links.popLast()
  }
}
