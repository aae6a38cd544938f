private import Foundation
package import ReelsFFmpeg

/// Encoded packets that are kept, by reference, for a part of the video to be replaced.
///
/// At most as much memory as the file has bytes.
package final class PacketStore: @unchecked Sendable {
  // Sound to share: each list is only touched by the one lane that fills it, then read when the
  // stages have ended.
  private var lists: [[Slot]]

  private final class Slot {
    let packet: Packet
    init(_ packet: consuming Packet) { self.packet = packet }
  }

  private let lock = NSLock()

  package init(lists count: Int) { lists = Array(repeating: [], count: count) }

  /// What a kept packet is.
  package struct Entry: Hashable, Sendable {
    package var bytes: Int
    package var isKey: Bool
  }

  package var count: Int { lists.count }

  package func keep(_ packet: borrowing Packet, in list: Int) throws(FFmpegError) {
    let slot = Slot(try packet.shared())
    lock.withLock { lists[list].append(slot) }
  }

  package func entries(of list: Int) -> [Entry] {
    lists[list].map { Entry(bytes: $0.packet.byteCount, isKey: $0.packet.isKey) }
  }

  package var byteCount: Int {
    lists.reduce(0) { sum, list in list.reduce(sum) { $0 + $1.packet.byteCount } }
  }

  /// Puts all of another store's list in the place of a part of one of this store's.
  package func replace(_ part: Range<Int>, of list: Int, with other: PacketStore, list from: Int) {
    lists[list].replaceSubrange(part, with: other.lists[from])
  }

  /// References to a list's packets, in a channel that is finished.
  package func channel(of list: Int) throws(FFmpegError) -> Channel<Packet> {
    let channel = Channel<Packet>(capacity: lists[list].count + 1)
    for slot in lists[list] { _ = channel.send(try slot.packet.shared()) }
    channel.finish()
    return channel
  }
}
