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
    var framesExamined: Int?
    var audioPacketsLost = 0
    var cover: Transcode.CoverPicture?
    /// By their places, then by version.
    var pairs: [Int: [Int: [Int]]] = [:]
  }

  private let lock = NSLock()
  private var parts = Parts()

  func update(_ body: (inout Parts) -> Void) {
    lock.lock()
    body(&parts)
    lock.unlock()
  }

  /// The pairs, with the versions that have both frames.
  func pairs(versions: Int) -> [PairProbe.Pair] {
    lock.lock()
    defer { lock.unlock() }
    return parts.pairs.keys.sorted().map { place in
      PairProbe.Pair(
        place: place,
        versions: (0..<versions).map { version in
          guard let bytes = parts.pairs[place]?[version], bytes.count == 2 else { return nil }
          return PairProbe.Frames(intra: bytes[0], inter: bytes[1])
        })
    }
  }

  func result(
    kept: Transcode.Kept?, outcomes: [BitBudget.Outcome?]
  ) throws -> Transcode.Result {
    lock.lock()
    defer { lock.unlock() }
    guard let cover = parts.cover else { throw TranscodeError.incomplete }
    return Transcode.Result(
      framesEncoded: parts.framesEncoded, framesConcealed: parts.framesConcealed,
      framesExamined: parts.framesExamined,
      audioPacketsLost: parts.audioPacketsLost, cover: cover, kept: kept, outcomes: outcomes)
  }
}
