private import Foundation
internal import ReelsFFmpeg

/// What the machine and its libraries offer.
enum Machine {
  /// Processors that this process may use.
  static var cores: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }
  /// Bytes that a worker may use unless it is told otherwise: 1080p takes 0.6 GB, 4K in ten bits 1.5 GB.
  static var jobMemory: Int64 {
    min(Int64(clamping: ProcessInfo.processInfo.physicalMemory / 2), 4 << 30)
  }
  static var hasZscale: Bool { Capabilities.hasFilter("zscale") }
}
