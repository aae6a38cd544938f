internal import Foundation
internal import ReelsModel
internal import ReelsPrep
internal import Testing

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

@Suite(.timeLimit(.minutes(1))) struct `Batches` {
  /// Runs the library's batch over files of these names, each named itself.
  private static func run(
    _ names: [String], in folder: TemporaryFolder, named: Bool = true,
    silenceLimit: Duration = .seconds(20), jobs: Int = 2
  ) async throws -> [Event] {
    let worker = try FakeWorker.write(to: folder)
    for name in names { try folder.write(Head.mp4, to: "in/" + name) }
    let inputs = try await Batch.findInputs(
      named ? names.map { folder.path("in/" + $0) } : [folder.path("in")],
      outputDirectory: folder.path("out"))
    let batch = Batch(
      worker: WorkerCommand(executable: worker), jobs: jobs, silenceLimit: silenceLimit)
    let events = EventLog()
    let request = Request(input: "", outputDirectory: folder.path("out"))
    let summary = try await batch.run(.prepare, inputs, like: request) { events.add($0) }
    #expect(events.all.last == .summary(summary))
    return events.all
  }

  private static func failures(_ events: [Event]) -> [Event.Failed] {
    events.compactMap { if case .failed(let failed) = $0 { failed } else { nil } }
  }

  private static func summary(_ events: [Event]) throws -> Event.Summary {
    guard case .summary(let summary) = try #require(events.last) else {
      throw CocoaError(.coderInvalidValue)
    }
    return summary
  }

  @Test func `a worker that crashes costs one file, and leaves nothing`() async throws {
    let folder = try TemporaryFolder()
    let events = try await Self.run(["a.mov", "crash.mov", "b.mov"], in: folder)
    let failed = try #require(Self.failures(events).first)
    #expect(failed.code == "crashed")
    #expect(failed.sentence.contains("crash.mov: the decoder crashed (signal 11)"))
    #expect(failed.blame == .input)
    let summary = try Self.summary(events)
    #expect(summary.prepared == 2 && summary.failed == 1)
    #expect(folder.names(in: "out") == ["a.reel", "b.reel"])
  }

  @Test func `a worker that hangs is killed at the limit`() async throws {
    let folder = try TemporaryFolder()
    let events = try await Self.run(
      ["hang.mov", "chatter.mov"], in: folder, silenceLimit: .seconds(1))
    #expect(Self.failures(events).map(\.code) == ["time-limit", "time-limit"])
    #expect(folder.names(in: "out").isEmpty)
    for pid in FakeWorker.pids(in: folder) { #expect(kill(pid, 0) != 0, "\(pid) is alive") }
  }

  @Test func `a worker that ends early fails with its last line`() async throws {
    let folder = try TemporaryFolder()
    let failed = try #require(Self.failures(try await Self.run(["exit.mov"], in: folder)).first)
    #expect(failed.code == "program")
    #expect(failed.sentence.contains("exit code 3"))
    #expect(failed.sentence.contains("the library is missing"))
  }

  @Test func `lines that are no messages are no harm`() async throws {
    let folder = try TemporaryFolder()
    let summary = try Self.summary(try await Self.run(["garbage.mov"], in: folder))
    #expect(summary.prepared == 1 && summary.failed == 0)
  }

  @Test func `a worker that cannot be started fails its file`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Head.mp4, to: "clip.mov")
    let inputs = try Inputs.find([path], outputDirectory: nil)
    let batch = Batch(worker: WorkerCommand(executable: folder.path("missing")), jobs: 1)
    let request = Request(input: "", outputDirectory: folder.path("out"))
    let summary = try await batch.run(.prepare, inputs, like: request) { _ in }
    #expect(summary.failed == 1)
  }

  @Test func `a file that holds no video fails where it is named, and is skipped in a folder`()
    async throws
  {
    let folder = try TemporaryFolder()
    let named = try await Self.run(["audio.mov"], in: folder)
    #expect(Self.failures(named).map(\.code) == ["no-video"])
    let found = try await Self.run(["audio.mov", "b.mov"], in: folder, named: false)
    #expect(Self.failures(found).isEmpty)
    let isSkipped = found.contains {
      if case .skipped(let skipped) = $0 { skipped.reason == .notVideo } else { false }
    }
    #expect(isSkipped)
    #expect(try Self.summary(found).passedOver == 1)
  }

  @Test func `no more workers run at once than jobs were asked for, and all are done`() async throws
  {
    let folder = try TemporaryFolder()
    let names = (1...12).map { "clip\($0).mov" }
    let summary = try Self.summary(try await Self.run(names, in: folder, jobs: 3))
    #expect(summary.prepared == 12)
    #expect(FakeWorker.pids(in: folder).count == 12)
  }

  @Test func `descriptors and processes are given back`() async throws {
    let folder = try TemporaryFolder()
    _ = try await Self.run(["warm.mov"], in: folder)
    let before = Self.openDescriptors()
    for _ in 0..<5 { _ = try await Self.run(["a.mov", "crash.mov", "exit.mov"], in: folder) }
    // Other tests run beside this one; a leak would be 15 workers with three pipes each.
    #expect(Self.openDescriptors() - before < 40)
  }

  private static func openDescriptors() -> Int { (0..<1024).count { fcntl($0, F_GETFD) >= 0 } }

  @Test func `a cancelled batch throws within half a second, and no worker lives on`() async throws
  {
    // A machine that is busy with other tests may be late: the fastest of three counts.
    var times: [Duration] = []
    while times.count < 3, times.min().map({ $0 >= .milliseconds(500) }) ?? true {
      times.append(try await Self.timeOfCancelling())
    }
    #expect(times.contains { $0 < .milliseconds(500) }, "\(times)")
  }

  private static func timeOfCancelling() async throws -> Duration {
    let folder = try TemporaryFolder()
    let worker = try FakeWorker.write(to: folder)
    for name in ["hang.mov", "stubborn.mov", "later.mov"] { try folder.write(Head.mp4, to: name) }
    let inputs = try Inputs.find(
      ["hang.mov", "stubborn.mov", "later.mov"].map { folder.path($0) }, outputDirectory: nil)
    let batch = Batch(worker: WorkerCommand(executable: worker), jobs: 2)
    let request = Request(input: "", outputDirectory: folder.path("out"))
    let task = Task { try await batch.run(.prepare, inputs, like: request) { _ in } }
    while folder.names(in: "out").count < 2 { try await Task.sleep(for: .milliseconds(10)) }
    let start = ContinuousClock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let time = ContinuousClock.now - start
    #expect(folder.names(in: "out").isEmpty)
    #expect(FakeWorker.pids(in: folder).count == 2)
    for pid in FakeWorker.pids(in: folder) { #expect(kill(pid, 0) != 0, "\(pid) is alive") }
    return time
  }
}

/// Events as they come.
// Sound: the list is touched under the lock.
final class EventLog: @unchecked Sendable {
  private let lock = NSLock()
  private var events: [Event] = []

  var all: [Event] { lock.withLock { events } }
  func add(_ event: Event) { lock.withLock { events.append(event) } }
}
