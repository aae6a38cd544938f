package import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A payload in the making: a hidden directory beside its final place, which becomes
/// `<slug>.reel` in one step or is removed.
///
/// The hidden directory's lock is held as long as this value lives; the system releases it when
/// the process ends, however it ends, so that the next start can tell what was left behind.
package struct PayloadDirectory: ~Copyable {
  /// What a commit came to.
  package enum Outcome: Hashable, Sendable {
    case committed(FilePath)
    /// Another process finished the same payload meanwhile; it was kept.
    case existed(FilePath)
  }

  private let publisher: PayloadPublisher
  private let lock: OpenFile

  private init(publisher: PayloadPublisher, lock: consuming OpenFile) {
    self.publisher = publisher
    self.lock = lock
  }

  /// Removes the hidden directory, unless it was committed.
  deinit {
    // After a commit the name may be free again, and taken by another job of this process.
    let partial = publisher.partial
    let named = (try? FileSystem.status(partial, followingLinks: false)) ?? nil
    if let named, named.identity == (try? lock.status())?.identity {
      try? DirectoryTree.remove(partial)
    }
  }

  /// The payload that is there already, after whatever a killed process left has been put right.
  ///
  /// - Returns: nil where there is none.
  /// - Throws: `PrepError` where something that is no payload has the name.
  package static func existing(
    slug: String, in output: FilePath
  ) throws(PrepError) -> FilePath? {
    let path = output.appending(try PayloadName(slug: slug).final)
    do throws(FileError) {
      if try FileSystem.status(output)?.kind == .directory {
        try PayloadRecovery.recover(in: output)
      }
    } catch {
      throw error.prepError(blame: .output)
    }
    return try PayloadOccupant.at(path) == .payload ? path : nil
  }

  /// Makes the output directory, with its parents, and the hidden directory in it.
  ///
  /// - Throws: `PrepError` for a directory that cannot be written, and where something that is no
  ///   payload has the final name. A payload that is there already is not an error.
  package static func begin(
    slug: String, in output: FilePath, overwrite: Bool
  ) throws(PrepError) -> PayloadDirectory {
    try begin(slug: slug, in: output, overwrite: overwrite, exchanging: true)
  }

  /// - Parameter exchanging: false leaves the exchange of two names unused, as on a file system
  ///   that cannot do it.
  static func begin(
    slug: String, in output: FilePath, overwrite: Bool, exchanging: Bool
  ) throws(PrepError) -> PayloadDirectory {
    let name = try PayloadName(slug: slug)
    do throws(FileError) {
      try FileSystem.makeDirectories(output)
      try PayloadRecovery.recover(in: output)
    } catch {
      throw error.prepError(blame: .output)
    }
    _ = try PayloadOccupant.at(output.appending(name.final))
    for attempt in 0..<PayloadPublisher.attempts {
      let partial = output.appending(name.hidden(.partial, attempt: attempt))
      guard let lock = try makeLocked(partial) else { continue }
      return PayloadDirectory(
        publisher: PayloadPublisher(
          output: output, name: name, partial: partial, overwrite: overwrite,
          exchanging: exchanging),
        lock: lock)
    }
    throw FileError(number: EEXIST, operation: "create", path: output.appending(name.final))
      .prepError(blame: .output)
  }

  /// The hidden directory itself.
  package var directory: FilePath { publisher.partial }

  /// Where a file of the payload is to be written.
  package func path(for file: String) -> FilePath { publisher.partial.appending(file) }

  /// Writes a file of the payload and waits until it is on the device.
  package func write(_ bytes: [UInt8], as file: String) throws(PrepError) {
    do {
      try FileSystem.write(bytes, to: path(for: file))
    } catch {
      throw error.prepError(blame: .output, needed: ByteCount(Int64(bytes.count)))
    }
  }

  /// Waits until every file is on the device, then gives the payload its name in one step.
  ///
  /// Where a payload has the name and `overwrite` was given, the two are exchanged, and a reader
  /// finds the old or the new one; on a file system without that, the old one is moved aside first,
  /// and a kill in between is put right at the next start.
  ///
  /// - Throws: `PrepError`; then there is no new payload, and an old one is in its place.
  package consuming func commit() throws(PrepError) -> Outcome {
    try publisher.publish() ? .committed(publisher.final) : .existed(publisher.final)
  }

  /// - Returns: nil where the name is taken, or was removed again as if it were left behind.
  private static func makeLocked(_ path: FilePath) throws(PrepError) -> OpenFile? {
    do throws(FileError) {
      try FileSystem.makeDirectory(path)
    } catch {
      if error.number == EEXIST { return nil }
      throw error.prepError(blame: .output)
    }
    do throws(FileError) {
      return try PayloadRecovery.lock(path, unlocked: true)
    } catch {
      throw error.prepError(blame: .output)
    }
  }
}
