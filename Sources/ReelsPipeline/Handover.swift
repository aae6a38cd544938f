private import Foundation
internal import ReelsModel

/// Carries one value that cannot be copied into a thread's closure, where it is taken once.
final class Handover<Value: ~Copyable & Sendable>: @unchecked Sendable {
  // Sound to share: the value is only touched under the lock.
  private let lock = NSLock()
  private var value: Value?

  init(_ value: consuming Value) { self.value = consume value }

  /// - Throws: `TranscodeError.incomplete` where it was taken before.
  func take() throws -> Value {
    lock.lock()
    defer { lock.unlock() }
    guard let value = value.take() else { throw TranscodeError.incomplete }
    return value
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
