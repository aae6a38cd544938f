public import Foundation

/// How far a payload's files have been fetched.
public struct FetchProgress: Hashable, Sendable {
  /// Of all files together; less than before where a server began a file anew.
  public var bytes: Int64
  public var total: Int64

  public init(bytes: Int64, total: Int64) {
    self.bytes = bytes
    self.total = total
  }
}

extension SharePayload {
  /// Fetches a payload that a server prepared, and opens it.
  ///
  /// The manifest comes first and is checked; then every file, in pieces of 4 MB by `Range` requests,
  /// hashed as it comes. A server that knows no ranges sends each file as a whole, and then nothing of
  /// it is gone on with later, and up to its size waits in memory.
  ///
  /// In a directory of the caller's, what came stays there after an error or a cancellation, and another
  /// call goes on from there; a file that turns out to be another is removed. `payload.json` is
  /// written last. One call at a time may use a directory. Without one, a temporary directory is used and
  /// removed in any case, and what a pasteboard takes is held in memory, as always.
  ///
  /// - Parameters:
  ///   - base: The address of the directory, `https` or `http`; a query is kept for each file.
  ///   - directory: Made where it is not there. The share sheet and the photo library need one.
  ///   - bytesMaximum: Of all files together, in bytes. The largest preset's limit is 300 MB.
  ///   - progress: Called on any thread.
  /// - Throws: `ShareError` or `CancellationError`.
  @concurrent
  public static func fetch(
    from base: URL, into directory: URL? = nil, bytesMaximum: Int64 = 400_000_000,
    transport: any PayloadTransport = URLSessionTransport(),
    progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
  ) async throws -> SharePayload {
    try await fetch(
      from: base, into: directory, bytesMaximum: bytesMaximum, transport: transport,
      pieceBytes: PayloadFetch.pieceBytes, progress: progress)
  }

  @concurrent
  static func fetch(
    from base: URL, into directory: URL?, bytesMaximum: Int64, transport: any PayloadTransport,
    pieceBytes: Int64, progress: @escaping @Sendable (FetchProgress) -> Void
  ) async throws -> SharePayload {
    let place =
      directory
      ?? FileManager.default.temporaryDirectory.appendingPathComponent(
        "reels-fetch-\(UUID().uuidString)")
    defer {
      if directory == nil { try? FileManager.default.removeItem(at: place) }
    }
    try await PayloadFetch(
      base: base, directory: place, transport: transport, bytesMaximum: bytesMaximum,
      pieceBytes: pieceBytes, progress: progress
    ).run()
    try Task.checkCancellation()
    return try SharePayload(contentsOf: place)
  }
}
