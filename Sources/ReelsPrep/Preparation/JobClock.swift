private import Foundation
internal import ReelsModel

/// Wall and CPU time of a job's parts. CPU is the process's: a job that shares its process with
/// others counts theirs too.
struct JobClock: Sendable {
  private let wallStart = DispatchTime.now().uptimeNanoseconds
  private let cpuStart = Self.processSeconds

  var wallSeconds: Double {
    Double(DispatchTime.now().uptimeNanoseconds - wallStart) / 1e9
  }

  var cpuSeconds: Double { Self.processSeconds - cpuStart }

  private static var processSeconds: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}
