private import Foundation
internal import ReelsFFmpeg

/// What the machine and its libraries offer.
enum Machine {
  /// Processors that this process may use.
  static var cores: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }
  static var hasZscale: Bool { Capabilities.hasFilter("zscale") }
}
