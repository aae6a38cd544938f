import ReelsModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Gives a finished hidden directory its final name.
struct PayloadPublisher {
  let output: FilePath
  let name: PayloadName
  let partial: FilePath
  /// Whether a payload that is there already is replaced.
  let overwrite: Bool
  /// Whether two names may be exchanged; false as on a file system that cannot do it.
  let exchanging: Bool

  var final: FilePath { output.appending(name.final) }

  /// Other jobs may take or give back a name between two calls; so often it is tried again.
  static let attempts = 2_000
  /// How long another job gets between two attempts, in microseconds.
  private static let pause: useconds_t = 1_000

  /// - Returns: false where another payload has the name and is kept.
  /// - Throws: `PrepError`, also where something that is no payload is in the way.
  func publish() throws(PrepError) -> Bool {
    do {
      try DirectoryTree.synchronize(partial)
      for _ in 0..<Self.attempts {
        switch try takeName() {
        case .published: return true
        case .kept: return false
        case .changed: usleep(Self.pause)
        }
      }
      throw FileError(number: EEXIST, operation: "replace", path: final)
    } catch {
      throw PrepError(output: error)
    }
  }

  private enum Step {
    case published, kept
    /// The name changed hands meanwhile, or another job is about to replace it.
    case changed
  }

  private func takeName() throws -> Step {
    do throws(FileError) {
      try FileSystem.rename(partial, to: final)
      try FileSystem.synchronizeDirectory(output)
      return .published
    } catch {
      guard [EEXIST, ENOTEMPTY, ENOTDIR].contains(error.number) else { throw error }
    }
    // Throws where something that is no payload is in the way.
    guard try PayloadOccupant.at(final) == .payload else { return .changed }
    guard overwrite else { return .kept }
    // Whoever removes or moves a directory holds its lock, so that it is the one that was seen, and
    // no job takes it for left behind.
    guard let old = try PayloadRecovery.lock(final, unlocked: true) else { return .changed }
    guard exchanging, let step = try exchange(with: old) else {
      return try moveAside(old)
    }
    return step
  }

  /// Replaces in one step.
  ///
  /// - Returns: nil where the file system cannot do it.
  private func exchange(with old: borrowing OpenFile) throws -> Step? {
    let identity = try old.status().identity
    do throws(FileError) {
      guard try FileSystem.exchange(partial, final) else { return nil }
    } catch {
      if error.number == ENOENT { return .changed }
      throw error
    }
    // What was at the name is now at the hidden one. It is removed only if it is what was seen.
    guard try FileSystem.status(partial, followingLinks: false)?.identity == identity else {
      _ = try FileSystem.exchange(partial, final)
      return .changed
    }
    try discard(partial)
    return .published
  }

  /// Replaces in two steps. The lock on the old payload tells other jobs, as long as this one
  /// lives, that the second step is still to come.
  private func moveAside(_ old: borrowing OpenFile) throws -> Step {
    let aside = try freeAside()
    do throws(FileError) {
      try FileSystem.rename(final, to: aside)
    } catch {
      if error.number == ENOENT { return .changed }
      throw error
    }
    do throws(FileError) {
      try FileSystem.rename(partial, to: final)
    } catch {
      if [EEXIST, ENOTEMPTY].contains(error.number) {
        // Another job took the free name; its payload is as new as this one, or newer.
        try? DirectoryTree.remove(aside)
        return .changed
      }
      try? FileSystem.rename(aside, to: final)
      throw error
    }
    try discard(aside)
    return .published
  }

  /// Removes the old payload, but not before the new one's name is on the device. What cannot be
  /// removed now is removed at the next start.
  private func discard(_ old: FilePath) throws(FileError) {
    try FileSystem.synchronizeDirectory(output)
    try? DirectoryTree.remove(old)
  }

  private func freeAside() throws(FileError) -> FilePath {
    for attempt in 0..<Self.attempts {
      let path = output.appending(name.hidden(.aside, attempt: attempt))
      if try FileSystem.status(path, followingLinks: false) == nil { return path }
    }
    throw FileError(number: EEXIST, operation: "create", path: final)
  }
}

extension PrepError {
  /// An error of this folder's calls as one about the output.
  init(output error: any Error) {
    switch error {
    case let error as PrepError: self = error
    case let error as FileError: self = error.prepError(blame: .output)
    default: self.init(code: .output, sentence: "cannot write: \(error)", blame: .output)
    }
  }
}
