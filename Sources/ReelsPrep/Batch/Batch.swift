internal import Foundation
public import ReelsModel

/// Runs jobs side by side, each in a worker process of its own, because a decoder that is fed
/// hostile input can crash, and a crash must cost one file.
public struct Batch: Sendable {
  /// What to do with each input.
  public enum Action: Hashable, Sendable {
    /// Make its payload.
    case prepare
    /// Decide what would be done, and write nothing.
    case plan
  }

  public var worker: WorkerCommand
  /// How many workers run at once.
  public var jobs: Int
  /// A worker that sends no event for this long is killed.
  public var silenceLimit: Duration
  /// Whether libav's log is on, and what workers write to standard error goes to `log`.
  public var isVerbose: Bool
  /// Called with each line that a worker writes to its standard error, and never at the same time
  /// as the events of a run.
  public var log: @Sendable (FilePath, String) -> Void

  /// - Parameter jobs: nil is one for every two cores.
  public init(
    worker: WorkerCommand, jobs: Int? = nil, silenceLimit: Duration = .seconds(120),
    isVerbose: Bool = false, log: @escaping @Sendable (FilePath, String) -> Void = { _, _ in }
  ) {
    self.worker = worker
    self.jobs = max(1, jobs ?? Machine.cores / 2)
    self.silenceLimit = silenceLimit
    self.isVerbose = isVerbose
    self.log = log
  }

  /// Finds the inputs on a thread of its own. See `Inputs.find`.
  ///
  /// - Throws: `CancellationError`.
  public static func findInputs(
    _ arguments: [FilePath], outputDirectory: FilePath?
  ) async throws -> Inputs {
    let flag = CancellationFlag()
    let inputs: Inputs? = await withTaskCancellationHandler {
      await OwnThread.run {
        try? Inputs.find(arguments, outputDirectory: outputDirectory) { flag.isSet }
      }
    } onCancel: {
      flag.set()
    }
    guard let inputs, !Task.isCancelled else { throw CancellationError() }
    return inputs
  }

  /// Does `action` for every input.
  ///
  /// The failures of the search are reported first, and the summary last. A file that was found in
  /// a folder and turns out to be no video is skipped; one that was named fails.
  ///
  /// - Parameters:
  ///   - template: the request for each input, but for its input, slug and threads.
  ///   - events: called from several threads, one call at a time, each job's events in order. While
  ///     it runs, the job whose event it is waits.
  /// - Throws: `CancellationError` once every worker has ended and nothing partial is left, at most
  ///   0.4 s after the task was cancelled.
  @discardableResult
  public func run(
    _ action: Action, _ inputs: Inputs, like template: Request,
    events: @escaping @Sendable (Event) -> Void
  ) async throws -> Event.Summary {
    let clock = ContinuousClock()
    let begin = clock.now
    let sink = EventSink(events, log: log)
    for failure in inputs.failures { sink.send(.failed(failure)) }
    let width = max(1, min(jobs, inputs.items.count))
    await withTaskGroup { group in
      var waiting = inputs.items.makeIterator()
      for _ in 0..<width {
        guard let item = waiting.next() else { break }
        group.addTask { await run(action, item, like: template, width: width, sink) }
      }
      // The group's own tasks are cancelled with the task that runs this.
      for await _ in group where !Task.isCancelled {
        guard let item = waiting.next() else { continue }
        group.addTask { await run(action, item, like: template, width: width, sink) }
      }
    }
    try Task.checkCancellation()
    let counts = sink.counts
    let summary = Event.Summary(
      prepared: counts.prepared, existing: counts.existing,
      passedOver: counts.notVideos + inputs.passedOver.nonVideos, failed: counts.failed,
      wallSeconds: (clock.now - begin) / .seconds(1))
    sink.send(.summary(summary))
    return summary
  }

  /// Says what one file is and what would be done with it, in a worker process.
  ///
  /// - Throws: `PrepError` where the file cannot be read as a video at all, or `CancellationError`.
  public func inspect(_ request: Request) async throws -> Inspection {
    let job = WorkerJob(kind: .inspect, request: request, isVerbose: isVerbose)
    let outcome = await perform(job, EventSink({ _ in }, log: log))
    try Task.checkCancellation()
    switch outcome {
    case .inspected(let inspection): return inspection
    case .event(.failed(let failed)):
      throw PrepError(
        code: PrepError.Code(rawValue: failed.code), sentence: failed.sentence, blame: failed.blame)
    case .event, .parts, nil:
      throw PrepError(
        code: .program, sentence: "\(request.input): the worker gave no answer", blame: .program)
    }
  }

  private func run(
    _ action: Action, _ item: Inputs.Item, like template: Request, width: Int, _ sink: EventSink
  ) async {
    var request = template
    request.input = item.path
    request.slug = item.slug
    request.threads = template.threads ?? max(1, Machine.cores / width)
    guard template.split else { return await run(action, request, isNamed: item.isNamed, sink) }
    let job = WorkerJob(kind: .parts, request: request, isVerbose: isVerbose)
    switch await perform(job, sink) {
    case .parts(let requests):
      for request in requests where !Task.isCancelled {
        await run(action, request, isNamed: item.isNamed, sink)
      }
    case .event(let last): report(last, isNamed: item.isNamed, sink)
    case .inspected, nil: return
    }
  }

  private func run(
    _ action: Action, _ request: Request, isNamed: Bool, _ sink: EventSink
  ) async {
    let kind: WorkerJob.Kind =
      switch action {
      case .prepare: .prepare
      case .plan: .plan
      }
    let job = WorkerJob(kind: kind, request: request, isVerbose: isVerbose)
    if case .event(let last) = await perform(job, sink) { report(last, isNamed: isNamed, sink) }
  }

  /// A file that was found in a folder and turns out to be no video is skipped.
  private func report(_ event: Event, isNamed: Bool, _ sink: EventSink) {
    var last = event
    if case .failed(let failed) = last, !isNamed, Self.isNoVideo(failed.code) {
      last = .skipped(
        Event.Skipped(input: failed.input, reason: .notVideo, sentence: failed.sentence))
    }
    sink.send(last)
  }

  private static func isNoVideo(_ code: String) -> Bool {
    let codes: [PrepError.Code] = [.noVideo, .stillImage, .notMedia, .empty]
    return codes.contains(PrepError.Code(rawValue: code))
  }
}
