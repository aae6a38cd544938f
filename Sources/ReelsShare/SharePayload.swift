public import Foundation
public import ReelsModel

/// A `<slug>.reel` directory whose files are all there and are those that its manifest describes.
///
/// The files that go to a pasteboard are read once, here, and are held as long as this value lives:
/// the memory is their size, and what is checked is what is shared.
public struct SharePayload: Sendable {
  public let manifest: Manifest
  /// The contents of the files that a pasteboard takes, by name.
  private let contents: [String: Data]

  /// Reads and checks a payload: the manifest's version, every file's name, size and SHA-256.
  ///
  /// Reading takes as long as the disk does: call it off the main thread.
  ///
  /// - Throws: `ShareError`.
  ///
  /// - Parameter availableMemory: How many bytes the process may still take, as a share extension has to ask
  ///   (`os_proc_available_memory`); nil for an app.
  public init(contentsOf directory: URL, availableMemory: Int64? = nil) throws(ShareError) {
    try self.init(
      contentsOf: directory, availableMemory: availableMemory, sha256: SHA256Digest.hexadecimal)
  }

  init(
    contentsOf directory: URL, availableMemory: Int64? = nil, sha256: (Data) -> String
  ) throws(ShareError) {
    let manifest = try ManifestReader.read(in: directory)
    let shared = Self.pasteboardFiles(of: manifest)
    try Self.checkMemory(manifest, shared, availableMemory)
    var contents: [String: Data] = [:]
    for file in manifest.files {
      let data = try PayloadFileReader.read(file, in: directory)
      guard sha256(data) == file.sha256.lowercased() else {
        throw ShareError(
          code: .wrongFile,
          sentence: "\(file.name) is not the file that the manifest describes: its SHA-256 differs")
      }
      if shared.contains(file.name) { contents[file.name] = data }
    }
    if let missing = shared.subtracting(contents.keys).sorted().first {
      throw ShareError(
        code: .badManifest,
        sentence: "the manifest shares \(missing.singleLine), which is not among its files")
    }
    self.manifest = manifest
    self.contents = contents
  }

  /// What to write to the pasteboard and which URL to open then.
  ///
  /// - Parameter appID: The Facebook app ID of the app that shares. It may be nil for a payload
  ///   that was made with one.
  /// - Throws: `ShareError` for a destination that does not take the payload and for a missing app
  ///   ID; nothing was touched then.
  public func handOff(
    to destination: ShareDestination, appID: String? = nil
  ) throws(ShareError) -> HandOff {
    guard let share = manifest.share.first(where: { $0.destination == destination.rawValue })
    else {
      throw ShareError(
        code: .refused, sentence: "the payload was not made for \(destination.rawValue)")
    }
    if let refusal = share.refused?.first {
      throw ShareError(
        code: .refused,
        sentence: "\(destination.rawValue) does not take the payload: \(refusal.because.singleLine)"
      )
    }
    guard let ios = share.ios else {
      throw ShareError(
        code: .refused, sentence: "\(destination.rawValue) has no way of sharing on iOS")
    }
    return try HandOff(ios, destination: destination, contents: contents, appID: appID)
  }

  /// What goes to the pasteboard is held, and one file more while it is checked.
  private static func checkMemory(
    _ manifest: Manifest, _ shared: Set<String>, _ available: Int64?
  ) throws(ShareError) {
    guard let available else { return }
    var needed = spareMemory
    for file in manifest.files where shared.contains(file.name) {
      // A manifest may claim anything.
      let sum = needed.addingReportingOverflow(max(0, file.bytes))
      needed = sum.overflow ? .max : sum.partialValue
    }
    guard needed <= available else {
      throw ShareError(
        code: .notEnoughMemory,
        sentence: "the payload needs \(needed) bytes of memory and \(max(0, available)) are left; "
          + "share it from the app, not from an extension")
    }
  }

  /// Besides the files themselves.
  private static let spareMemory: Int64 = 5_000_000

  /// The file that a share sheet is given: the video, or what a story has instead; nil where the
  /// payload has none of them.
  var presentedName: String? {
    let video = manifest.files.first { $0.mediaType.hasPrefix("video/") }?.name
    let sticker = manifest.files.first { $0.name.hasPrefix("sticker.") }?.name
    return video ?? manifest.background?.file ?? sticker
  }

  private static func pasteboardFiles(of manifest: Manifest) -> Set<String> {
    var names: Set<String> = []
    for item in manifest.share.compactMap(\.ios).flatMap(\.pasteboard) {
      for case .file(let name) in item.values { names.insert(name) }
    }
    return names
  }
}
