private import Foundation

/// A bounded queue between two threads: a full one makes the sender wait, an empty one the receiver.
///
/// The decisions are `ChannelState`'s, made under the lock; waiting and waking follow from them.
package final class Channel<Element: ~Copyable & Sendable>: @unchecked Sendable {
  // Sound to share: `state` and `slots` are only touched between lock and unlock.
  private let condition = NSCondition()
  private var state: ChannelState
  private var slots: [Slot]

  /// Carries one element that cannot be copied through an array.
  private final class Slot {
    var element: Element?
    init(_ element: consuming Element) { self.element = consume element }
    func take() -> Element? { element.take() }
  }

  /// - Parameter capacity: elements in flight; say what memory that is where the channel is made.
  package init(capacity: Int) {
    state = ChannelState(capacity: capacity)
    slots = []
    slots.reserveCapacity(capacity)
  }

  /// Waits for room and puts the element in.
  ///
  /// - Returns: false where nobody will receive it, so that the sender can stop early.
  package func send(_ element: consuming Element) -> Bool {
    let slot = Slot(element)
    condition.lock()
    defer { condition.unlock() }
    while true {
      switch state.send() {
      case .wait: condition.wait()
      case .refused: return false
      case .accepted:
        slots.append(slot)
        condition.broadcast()
        return true
      }
    }
  }

  /// Waits for an element.
  ///
  /// - Returns: nil when the sender has finished, or the channel was cancelled.
  package func receive() -> Element? {
    condition.lock()
    defer { condition.unlock() }
    while true {
      switch state.receive() {
      case .wait: condition.wait()
      case .ended: return nil
      case .received:
        let slot = slots.removeFirst()
        condition.broadcast()
        return slot.take()
      }
    }
  }

  /// No more elements come; those inside are still received.
  package func finish() {
    condition.lock()
    state.finish()
    condition.broadcast()
    condition.unlock()
  }

  /// Drops what is inside and ends both sides; from any thread.
  package func cancel() {
    condition.lock()
    state.cancel()
    let dropped = slots
    slots = []
    condition.broadcast()
    condition.unlock()
    // The elements are freed here, outside of the lock.
    _ = dropped
  }
}

/// The rules of a bounded channel, apart from threads and storage.
package struct ChannelState: Sendable {
  package enum Sending: Sendable { case accepted, wait, refused }
  package enum Receiving: Sendable { case received, wait, ended }

  private let capacity: Int
  private var count = 0
  private var isFinished = false
  private var isCancelled = false

  package init(capacity: Int) {
    precondition(capacity > 0, "a channel holds at least one element: \(capacity)")
    self.capacity = capacity
  }

  package mutating func send() -> Sending {
    if isFinished || isCancelled { return .refused }
    if count == capacity { return .wait }
    count += 1
    return .accepted
  }

  package mutating func receive() -> Receiving {
    if isCancelled { return .ended }
    if count == 0 { return isFinished ? .ended : .wait }
    count -= 1
    return .received
  }

  package mutating func finish() { isFinished = true }

  package mutating func cancel() {
    isCancelled = true
    count = 0
  }
}
