internal import CReelsFFmpeg

/// What this build of FFmpeg can do.
package enum Capabilities {
  package static func hasFilter(_ name: String) -> Bool { avfilter_get_by_name(name) != nil }
}

/// How the process gets its memory.
package enum ProcessMemory {
  /// Frames go back to the system when they are freed: an eighth less at the peak of a 1080p job.
  ///
  /// It concerns the whole process: only for one of our own (`mallopt`; nothing where it is missing).
  package static func returnLargeBlocks() { rp_return_large_blocks() }

  /// Whether the limit is what a failed allocation met, and not some absurd size: half of it is used.
  package static var isExhausted: Bool {
    let limit = rp_memory_limit()
    return limit > 0 && rp_memory_used() > limit / 2
  }

  /// What lies above fails as out of memory in libav, and ends the process in Swift. For a process of one's
  /// own, for good; nothing on systems other than Linux.
  package static func limit(bytes: Int64) { _ = rp_limit_memory(UInt64(max(0, bytes))) }
}
