import Foundation
import ReelsPipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct StageExecutorTests {
  private struct First: Error {}
  private struct Second: Error {}

  @Test func `it waits until every stage has ended`() async throws {
    let executor = StageExecutor()
    let ended = Shared(0)
    for delay in [0.0, 0.02, 0.05] {
      executor.start("sleep") {
        Thread.sleep(forTimeInterval: delay)
        ended.update { $0 += 1 }
      }
    }
    try await executor.wait()
    #expect(ended.value == 3)
  }

  @Test func `without stages there is nothing to wait for`() async throws {
    try await StageExecutor().wait()
  }

  @Test func `the first error stops the other stages and is the group's`() async {
    for _ in 0..<20 {
      let executor = StageExecutor()
      let channel = Channel<Int>(capacity: 1)
      let isDone = Shared(false)
      executor.onStop { channel.cancel() }
      executor.start("receive") {
        defer { isDone.update { $0 = true } }
        if channel.receive() == nil { throw Second() }
      }
      executor.start("throw") { throw First() }
      await #expect(throws: First.self) { try await executor.wait() }
      // Its threads are gone when the wait is over.
      #expect(isDone.value)
    }
  }

  @Test func `a cancelled task stops stages that wait on either side of a channel`() async {
    let executor = StageExecutor()
    let (full, empty) = (Channel<Int>(capacity: 1), Channel<Int>(capacity: 1))
    executor.onStop {
      full.cancel()
      empty.cancel()
    }
    // When the stages end; the waiting task may be late, for the tests fill Swift's threads.
    let ends = Shared<[ContinuousClock.Instant]>([])
    executor.start("send") {
      while full.send(0) {}
      ends.update { $0.append(.now) }
    }
    executor.start("receive") {
      while empty.receive() != nil {}
      ends.update { $0.append(.now) }
    }
    let task = Task { try await executor.wait() }
    try? await Task.sleep(for: .milliseconds(30))
    let start = ContinuousClock.now
    task.cancel()
    #expect(await endsCancelled(task))
    #expect(ends.value.count == 2)
    #expect(ends.value.allSatisfy { $0 - start < .milliseconds(500) })
  }

  @Test func `a task that is cancelled before it waits stops the stages too`() async {
    let executor = StageExecutor()
    let channel = Channel<Int>(capacity: 1)
    executor.onStop { channel.cancel() }
    executor.start("receive") { _ = channel.receive() }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await executor.wait()
    }
    task.cancel()
    #expect(await endsCancelled(task))
  }

  @Test func `what is added after the stop is stopped at once`() {
    let executor = StageExecutor()
    let calls = Shared<[String]>([])
    executor.onStop { calls.update { $0.append("before") } }
    executor.stop()
    executor.onStop { calls.update { $0.append("after") } }
    executor.stop()
    #expect(calls.value == ["before", "after"])
  }

  @Test func `one piece of work gives its value or its error`() async throws {
    #expect(try await StageExecutor.run("value") { 7 } == 7)
    await #expect(throws: First.self) { try await StageExecutor.run("error") { throw First() } }
  }

  @Test func `one piece of work is told of the cancelling`() async {
    let channel = Channel<Int>(capacity: 1)
    let task = Task {
      try await StageExecutor.run("receive", onCancel: { channel.cancel() }) { channel.receive() }
    }
    try? await Task.sleep(for: .milliseconds(20))
    task.cancel()
    #expect(await endsCancelled(task))
  }

  @Test func `blocked stages leave Swift's own threads free`() async throws {
    let executor = StageExecutor()
    let channel = Channel<Int>(capacity: 1)
    for _ in 0..<32 { executor.start("receive") { _ = channel.receive() } }
    // With 32 of the pool's threads blocked these would never run.
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 0..<100 { group.addTask { number } }
      return await group.reduce(0, +)
    }
    #expect(sum == 4_950)
    channel.cancel()
    try await executor.wait()
  }
}
