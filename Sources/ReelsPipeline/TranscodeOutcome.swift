private import Foundation

/// Hands out the ranges in order, to whichever lane is free.
final class RangeQueue: @unchecked Sendable {
  // Sound to share: the counter is only touched under the lock.
  private let lock = NSLock()
  private let count: Int
  private var taken = 0

  init(count: Int) { self.count = count }

  /// The next range's number; nil when all are taken.
  func next() -> Int? {
    lock.withLock {
      guard taken < count else { return nil }
      defer { taken += 1 }
      return taken
    }
  }
}

/// Collects the results of the stages.
final class TranscodeOutcome: @unchecked Sendable {
  // Sound to share: the parts are only touched under the lock.
  struct Parts {
    var framesEncoded = 0
    var framesConcealed = 0
    var audioPacketsLost = 0
    var cover: Transcode.CoverPicture?
  }

  private let lock = NSLock()
  private var parts = Parts()

  func update(_ body: (inout Parts) -> Void) {
    lock.lock()
    body(&parts)
    lock.unlock()
  }

  func result() throws -> Transcode.Result {
    lock.lock()
    defer { lock.unlock() }
    guard let cover = parts.cover else { throw TranscodeError.incomplete }
    return Transcode.Result(
      framesEncoded: parts.framesEncoded, framesConcealed: parts.framesConcealed,
      audioPacketsLost: parts.audioPacketsLost, cover: cover)
  }
}
