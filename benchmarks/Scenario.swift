/// Something to measure.
enum Scenario: String, CaseIterable, Sendable {
  case size, single, batch, copy, limit, seek, memory, scaling

  /// Measures it.
  ///
  /// - Throws: `BenchError` where nothing could be measured at all.
  func run(_ bench: Bench) async throws -> Report {
    switch self {
    case .size: try SizeScenario(bench: bench).run()
    case .single: try SingleScenario(bench: bench).run()
    case .batch: try BatchScenario(bench: bench).run()
    case .copy: try CopyScenario(bench: bench).run()
    case .limit: try await LimitScenario(bench: bench).run()
    case .seek: try SeekScenario(bench: bench).run()
    case .memory: try MemoryScenario(bench: bench).run()
    case .scaling: try ScalingScenario(bench: bench).run()
    }
  }
}
