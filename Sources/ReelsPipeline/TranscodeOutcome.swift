private import Foundation
internal import ReelsModel

/// Hands out ranges in order, to whichever of its lanes is free.
final class RangeQueue: @unchecked Sendable {
  // Sound to share: the counter is only touched under the lock.
  private let lock = NSLock()
  private var left: ArraySlice<Int>

  init(_ ranges: [Int]) { left = ranges[...] }

  /// The next range's number; nil when all are taken.
  func next() -> Int? {
    lock.withLock { left.popFirst() }
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

  func result(
    kept: Transcode.Kept?, outcomes: [BitBudget.Outcome?]
  ) throws -> Transcode.Result {
    lock.lock()
    defer { lock.unlock() }
    guard let cover = parts.cover else { throw TranscodeError.incomplete }
    return Transcode.Result(
      framesEncoded: parts.framesEncoded, framesConcealed: parts.framesConcealed,
      audioPacketsLost: parts.audioPacketsLost, cover: cover, kept: kept, outcomes: outcomes)
  }
}
