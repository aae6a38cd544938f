internal import CReelsFFmpeg
private import Foundation
private import Synchronization

/// Ends blocking libav calls, from any thread: by request, or when a time limit has run out.
package final class Interrupt: Sendable {
  private let requested = Atomic<Bool>(false)
  /// Nanoseconds of the monotonic clock; 0 is no limit.
  private let deadline = Atomic<UInt64>(0)

  package init() {}

  package func request() { requested.store(true, ordering: .releasing) }

  package var isRequested: Bool { requested.load(ordering: .acquiring) }

  /// Ends calls that are still running `seconds` from now; nil removes the limit.
  package func limit(seconds: Double?) {
    let end = seconds.map { Self.now + UInt64(max($0, 0) * 1e9) } ?? 0
    deadline.store(end, ordering: .releasing)
  }

  package var isExpired: Bool {
    let end = deadline.load(ordering: .acquiring)
    return end != 0 && Self.now > end
  }

  package var shouldEnd: Bool { isRequested || isExpired }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// The callback's registration; it does not retain, so the owner keeps `self` alive.
  var callback: AVIOInterruptCB {
    AVIOInterruptCB(
      callback: { opaque in
        guard let opaque else { return 0 }
        return Unmanaged<Interrupt>.fromOpaque(opaque).takeUnretainedValue().shouldEnd ? 1 : 0
      },
      opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}
