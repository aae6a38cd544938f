internal import Foundation
internal import ReelsFFmpeg
internal import ReelsModel

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The other side of `Batch`: does one job and reports it on standard output.
public enum Worker {
  /// Reads a job from standard input, does it, and writes its messages to standard output.
  ///
  /// The job is cancelled with the task, and when standard input ends: the parent is gone. What
  /// libraries print goes to standard error.
  ///
  /// - Returns: the exit code: 0 where the outcome was told, whatever it is; 143 where it was
  ///   cancelled; 64 without a job.
  public static func serve() async -> Int32 {
    let channel: MessageChannel
    do {
      channel = try MessageChannel()
    } catch {
      return EX_OSERR
    }
    let line = await OwnThread.run { readLine() }
    guard let job = JSONLine.decode(WorkerJob.self, from: line) else { return EX_USAGE }
    LibraryLog.setVerbose(job.isVerbose)
    ProcessMemory.returnLargeBlocks()
    ProcessMemory.limit(bytes: job.request.maxMemory?.value ?? Machine.jobMemory)
    let work = Task { await perform(job, channel) }
    OwnThread.start {
      waitForEnd()
      work.cancel()
      // A library that does not let go must not outlive the parent.
      Thread.sleep(forTimeInterval: 2)
      _exit(128 + SIGTERM)
    }
    return await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
  }

  private static func perform(_ job: WorkerJob, _ channel: MessageChannel) async -> Int32 {
    let request = job.request
    do {
      switch job.kind {
      case .prepare: try channel.send(.event(try await prepare(request, channel)))
      case .plan: try channel.send(.event(try await plan(request)))
      case .parts: try channel.send(.parts(try await ReelsPrep().parts(of: request)))
      case .inspect: try channel.send(.inspected(try await inspect(request, channel)))
      }
      return 0
    } catch is CancellationError {
      return 128 + SIGTERM
    } catch {
      try? channel.send(.event(.failed(failed(request, error))))
      return 0
    }
  }

  private static func prepare(_ request: Request, _ channel: MessageChannel) async throws -> Event {
    let payload = try await ReelsPrep().prepare(request) { try? channel.send(.event($0)) }
    if payload.existed { return exists(request, payload.path) }
    return .finished(
      Event.Finished(input: request.input, payload: payload.path, manifest: payload.manifest))
  }

  private static func plan(_ request: Request) async throws -> Event {
    let name = try PayloadName(slug: request.slug ?? Slug.plain(for: request.input))
    let payload = request.outputDirectory.appending(name.final)
    if case .payload = try PayloadOccupant.at(payload), !request.overwrite {
      _ = try ExistingPayload.manifest(at: payload, of: request)
      return exists(request, payload)
    }
    if let story = try await ReelsPrep().storyPlan(request) {
      return .planned(Event.Planned(input: request.input, payload: payload, story: story))
    }
    let plan = try await ReelsPrep().plan(request).plan
    return .planned(Event.Planned(input: request.input, payload: payload, plan: plan))
  }

  private static func inspect(
    _ request: Request, _ channel: MessageChannel
  ) async throws -> Inspection {
    do {
      if let story = try await ReelsPrep().storyPlan(request) {
        return Inspection(info: try await ReelsPrep().inspect(request), story: story)
      }
      let (info, plan) = try await ReelsPrep().plan(request)
      // What cannot be foreseen is no reason to say nothing of the file.
      let prediction = try? await ReelsPrep().predict(request, info: info, plan: plan) {
        try? channel.send(.event($0))
      }
      try Task.checkCancellation()
      return Inspection(info: info, plan: plan, prediction: prediction, refusal: nil)
    } catch let error as PrepError {
      // What the file is can be told of a file that is refused.
      guard let info = try? await ReelsPrep().inspect(request) else { throw error }
      return Inspection(info: info, plan: nil, refusal: failed(request, error))
    }
  }

  private static func exists(_ request: Request, _ payload: FilePath) -> Event {
    .skipped(
      Event.Skipped(
        input: request.input, reason: .exists,
        sentence: "\(payload) is there already; --overwrite replaces it"))
  }

  private static func failed(_ request: Request, _ error: any Error) -> Event.Failed {
    let error =
      error as? PrepError
      ?? PrepError(code: .program, sentence: "\(request.input): \(error)", blame: .program)
    return Event.Failed(
      input: request.input, code: error.code.rawValue, sentence: error.sentence, blame: error.blame)
  }

  // MARK: standard input

  /// The bytes up to the first newline. They are read one by one, so that the rest stays.
  private static func readLine() -> [UInt8] {
    let input = StandardInput()
    var line: [UInt8] = []
    while let byte = input.next(), byte != 0x0A, line.count < 1 << 20 { line.append(byte) }
    return line
  }

  private static func waitForEnd() {
    let input = StandardInput()
    while input.next() != nil {}
  }
}

/// Descriptor 0, which stays open.
private struct StandardInput {
  func next() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      // Sound: one byte is read into one byte.
      let count = unsafe read(0, &byte, 1)
      if count == 1 { return byte }
      guard count < 0, errno == EINTR else { return nil }
    }
  }
}

/// Where a worker's messages go.
// Sound: everything that changes is touched under the lock, and the descriptor's writes as well.
private final class MessageChannel: @unchecked Sendable {
  private let lock = NSLock()
  private let output: Descriptor
  private let clock = ContinuousClock()
  private var lastProgress: ContinuousClock.Instant?

  /// Takes standard output away from everybody else: what they print goes to standard error.
  init() throws(SystemError) {
    let copy = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, dup2(2, 1) >= 0 else { throw .current }
    output = Descriptor(adopting: copy)
  }

  /// Sends a message. Progress is sent four times a second at most, but for its end.
  ///
  /// - Throws: `EncodingError` for a number that is not finite. A parent that is gone is no error:
  ///   the end of standard input tells of it.
  func send(_ message: WorkerMessage) throws {
    let line = try JSONLine.encode(message)
    lock.withLock {
      if case .event(.progress(let progress)) = message {
        let now = clock.now
        let isSoon = lastProgress.map { now - $0 < .milliseconds(250) } ?? false
        if isSoon, progress.fraction < 1 { return }
        lastProgress = now
      }
      try? output.write(line)
    }
  }
}
