internal import ReelsModel

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Batch {
  /// Runs one worker on a thread of its own.
  ///
  /// - Parameter sink: takes what comes before the last message.
  /// - Returns: the message that ends the job, made up here where the worker could not send it; nil
  ///   where the task was cancelled before.
  func perform(
    _ job: WorkerJob, _ sink: EventSink
  ) async -> WorkerMessage? {
    let stopping: StopPipe
    do {
      stopping = try StopPipe()
    } catch {
      return .event(failure(job, "no worker could be started: \(error)", blame: .program))
    }
    return await withTaskCancellationHandler {
      await OwnThread.run { supervise(job, stopping: stopping, sink) }
    } onCancel: {
      stopping.request()
    }
  }

  private func supervise(
    _ job: WorkerJob, stopping: StopPipe, _ sink: EventSink
  ) -> WorkerMessage? {
    var last: WorkerMessage?
    var lastLine: String?
    let ending: WorkerRun.Ending
    let pid: Int32
    do {
      var run = try WorkerRun(worker, job: job, silenceLimit: silenceLimit)
      pid = run.pid
      ending = run.run(stopping: stopping) { message in
        guard last == nil else { return }
        if job.kind.isEnded(by: message) {
          last = message
        } else if case .event(let event) = message {
          sink.send(event)
        }
      } log: { line in
        lastLine = line
        if isVerbose { sink.log(job.request.input, line) }
      }
    } catch {
      return .event(failure(job, "no worker could be started: \(error)", blame: .program))
    }
    if last == nil, job.kind == .prepare { tidy(job.request, pid: pid) }
    return last ?? excuse(job, ending, lastLine: lastLine).map { .event($0) }
  }

  /// Removes what a worker that was killed left in the output directory.
  private func tidy(_ request: Request, pid: Int32) {
    let output = request.outputDirectory
    try? PayloadRecovery.recover(in: output)
    // On a file system without locks nothing is recovered; but this owner is known to be gone.
    let names = (try? DirectoryTree.names(in: output)) ?? []
    for name in names where PayloadName.isPartial(name, of: pid) {
      try? DirectoryTree.remove(output.appending(name))
    }
  }

  /// The failure of a worker that ended without a last message.
  private func excuse(_ job: WorkerJob, _ ending: WorkerRun.Ending, lastLine: String?) -> Event? {
    switch ending {
    case .stopped: return nil
    case .silent:
      return failure(
        job,
        "no progress for \(silenceLimit.components.seconds) s, which is the limit, so it was given"
          + " up; export the file again with another program",
        code: .timeLimit, blame: .input)
    case .signalled(SIGKILL):
      return failure(
        job,
        "the worker was killed (signal \(SIGKILL)), most likely for want of memory;"
          + " try again with --jobs 1",
        code: .crashed, blame: .program)
    case .signalled(let signal) where [SIGTERM, SIGINT, SIGHUP].contains(signal):
      return failure(
        job, "the worker was ended by another program (signal \(signal)); try again",
        code: .crashed, blame: .program)
    case .signalled(let signal):
      return failure(
        job,
        "the decoder crashed (signal \(signal)) on this file; export it again with another program",
        code: .crashed, blame: .input)
    case .exited(let code):
      let cause = lastLine.map { ": \($0)" } ?? ""
      return failure(job, "the worker ended early (exit code \(code))\(cause)", blame: .program)
    }
  }

  private func failure(
    _ job: WorkerJob, _ fact: String, code: PrepError.Code = .program, blame: Event.Blame
  ) -> Event {
    .failed(
      Event.Failed(
        input: job.request.input, code: code.rawValue,
        sentence: "\(job.request.input): \(fact)".singleLine, blame: blame))
  }
}

extension WorkerJob.Kind {
  /// Whether nothing comes after `message`.
  fileprivate func isEnded(by message: WorkerMessage) -> Bool {
    switch message {
    case .inspected, .parts, .event(.finished), .event(.skipped), .event(.failed): true
    case .event(.planned): self == .plan
    case .event(.progress), .event(.summary): false
    }
  }
}
